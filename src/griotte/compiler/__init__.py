"""A Spec's way from what is stated to a solved program."""

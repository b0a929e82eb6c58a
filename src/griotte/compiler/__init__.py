"""A Spec's way from the stated form to a solved program."""

"""Programs, what they cost, how they are rewritten, and the search over them."""

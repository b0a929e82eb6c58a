"""Loop nests, and graphs of them."""

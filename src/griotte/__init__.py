"""griotte: exact search for the fastest CPU kernel of a small tensor program."""

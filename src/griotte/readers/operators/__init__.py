"""Operators on arrays of a graph, with NumPy's meaning: what no call of the language is by itself, written once."""

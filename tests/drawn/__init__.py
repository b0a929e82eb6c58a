"""Random Specs as text: what tests and benchmarks draw from, and `python -m drawn` checks."""

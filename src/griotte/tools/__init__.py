"""The command line, and what measures, learns and precomputes."""

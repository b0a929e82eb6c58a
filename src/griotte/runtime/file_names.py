"""The names of a saved kernel's files."""

SOURCE, HEADER, LIBRARY, DESCRIPTION = "kernel.c", "kernel.h", "kernel.so", "kernel.json"
WEIGHTS = "model.bin"
"""A model's packed constants."""

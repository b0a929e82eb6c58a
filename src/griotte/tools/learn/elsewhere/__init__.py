"""What times programs on a machine elsewhere. A batch has a copy of it: it needs Python's standard library and a C
compiler alone, and nothing of griotte."""

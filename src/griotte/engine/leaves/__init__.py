"""Leaves: the forms that are built around a kernel's step, each a folder with which families it serves, what it costs,
its C and what it asks for ahead; which kernel serves a family; what the leaves of a program agree on."""

"""Leaves (microkernels): the forms that are built around a kernel's step. Each form is a folder with the families that
it serves, its cost, its C and its prefetches. Here too: which kernel serves a family, and what the leaves of a program
agree on."""

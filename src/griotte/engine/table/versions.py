"""The versions that the keys of a table carry. They are raised by hand: an edit that changes nothing leaves every table
as it is.

tests/engine/table/test_keys.py keeps digests of the space and of the emitted code, and fails where these changed and
the version did not.
"""

SPACE = 41
"""What the space is: its families, the edges and loops that leave each in their order, its ladders and limits, and what
all of it costs."""

EMITTED = 36
"""The C that a program becomes: what a tuned program's times were taken of."""

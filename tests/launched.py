"""What runs the programs that tests compile."""

from collections.abc import Sequence

BEFORE: Sequence[str] = ()
"""Words before a program's name: an emulator's, where programs are of another architecture."""

"""The table that comes with griotte: answers to Specs that models ask for most, solved ahead for a few machines.

It lies beneath the user's own: a Spec that the user's table does not hold is looked for here, before it is searched. It
is read alone, and nothing is ever written into it. docs/explanation/tables.md says what it holds and for whom.
"""

from .keys import seen_key
from .packing import PackedAnswers
from .reading import Shipped, shipped

__all__ = ["PackedAnswers", "Shipped", "seen_key", "shipped"]

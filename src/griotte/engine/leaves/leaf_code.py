"""The C of a leaf."""

from __future__ import annotations


class LeafCode:
    """What the function of a leaf does, over pointers named by the views of its operands.

    apart   whether it is to stay a function of its own, wherever it is called
    follows what of its C follows from the largest length that there is, where its length is known when it runs
    """

    @property
    def apart(self) -> bool:
        return False

    @property
    def follows(self) -> tuple[int, ...] | None:
        return None

    def statements(self) -> list[str]:
        raise NotImplementedError

"""The factors of a described target on the prices of its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from . import COEFFICIENTS, machine
from .core import Crossing, Ports
from .target import Kernel

SLOTS = ("uops", "interleave", "slide", "latency")  # numbers of a kernel that may differ from those of the base


class Priced:
    """What a machine is taken to cost before a file says otherwise: by its parameters, or without them as no machine in
    particular."""

    def __init__(self, parameters: Mapping[str, float] | None, far_panel: int):
        self._found = None if parameters is None else machine.derive(parameters, far_panel)
        self.coefficients, self.ports, self.crossing = COEFFICIENTS, Ports(), Crossing()
        if self._found:
            self.coefficients = COEFFICIENTS | self._found.coefficients
            self.ports, self.crossing = (
                replace(self.ports, **self._found.ports),
                replace(self.crossing, **self._found.crossing),
            )

    def slot(self, kernel: Kernel, field: str):
        """A number of a kernel of the base."""
        return (
            self._found.latency
            if self._found and field == "latency" and kernel.name in machine.TIMED
            else getattr(kernel, field)
        )

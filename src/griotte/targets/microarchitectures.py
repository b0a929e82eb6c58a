"""What differs between CPUs that have the same instructions, by the maker and family that they name: published instruction timings, the width
that they work at, and what their memory costs. A CPU that is not here is taken for the Intel Xeon that COEFFICIENTS were measured on. Its prices give way to those of a machine like it that was measured (measured.py)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from .target import Crossing, Kernel, Ports, Prefetch


@dataclass(frozen=True)
class Microarchitecture:
    """CPUs of `vendor` whose family (as the CPU gives both) is one of `families`, None: any; and whose model, within it, is one of `models`.

    widest        bytes of the widest vectors of a target that it is for
    datapath      bytes that a port takes at once: of a wider vector it takes one half, then the other
    adders, issue, displaced   see Ports
    crossing      see Crossing
    kernels       fields of kernels, by the kernel's name, where they are not those declared with it
    prefetch      see Prefetch
    coefficients  of the cost model, where they are not COEFFICIENTS
    """

    name: str
    vendor: str = ""
    families: tuple[int, ...] | None = None
    models: range | tuple[int, ...] = range(256)
    widest: int = 64
    datapath: int = 64
    adders: float = 0.0
    issue: float = 6.0
    displaced: float = 0.0
    crossing: Crossing = field(default_factory=Crossing)
    prefetch: Prefetch = field(default_factory=Prefetch)
    kernels: dict[str, dict[str, Any]] = field(default_factory=dict)
    coefficients: dict[str, float] = field(default_factory=dict)

    def ports(self, vector_bytes: int) -> Ports:
        """Vectors of so many bytes that are issued in a cycle. One of two halves is one operation all the same where it is issued."""
        narrow, share = Ports(), min(1.0, self.datapath / vector_bytes)
        return replace(narrow, arithmetic=share * narrow.arithmetic, adders=share * self.adders, load=share * narrow.load, broadcast=share * narrow.broadcast, store=share * narrow.store, issue=self.issue, displaced=self.displaced)

    def kernel(self, kernel: Kernel) -> Kernel:
        return replace(kernel, **self.kernels.get(kernel.name, {}))


_AMD_DOT = {"dot_bf16": {"uops": 1.0, "interleave": 1.0}}
"""vdpbf16ps: one every 2 cycles on Intel to Granite Rapids (4 slots; measured 1.99), as often as a multiply-add on Zen 4 and 5 (uops.info; measured
470 of 480 GFLOP/s on Zen 5, 233 of 236 on Zen 4). vpermt2w of whole registers, which interleaves two rows of 16-bit elements: 3 operations, 2 of them
on one port, on Intel (2 cycles, 4 slots); one on Zen 4 and 5 (uops.info)."""

_AMD_MEMORY = {"line.L3": 4.5, "stream.L3": 6.0, "store.L2": 4.0, "store.L3": 5.0, "start.L3": 40.0, "crowded.L3": 2.0, "start.memory": 120.0, "piece.L2": 0.0, "panel.memory": 0.0, "result.L2": 0.0}
"""Of an L3 that lies beside its cores, and not along a mesh, and of results in L2 (docs/lab/prices-2026-11.md, Makers differ)."""

_ZEN_NARROW = _AMD_MEMORY | {"line.L1": 0.5, "line.L2": 1.4, "strip.L2": 1.0, "strip.L3": 1.5, "strip.memory": 2.0, "result.L2": 0.25, "result.L3": 0.5, "result.memory": 2.0, "registers": 0.5, "panel.L3": 700.0, "start.L2": 12.0}
"""Products of 32-byte vectors on a Zen 3: docs/lab/ladder-2026-11.md."""

_ZEN_4 = (*range(0x10, 0x20), *range(0x60, 0x80), *range(0xA0, 0xB0))
"""Models of family 19h that are no Zen 3. By vectors of 32 bytes both have the same prices by hand, but a Zen 3 is not priced by a Zen 4 that was measured."""

# Zen 3: two threads of a core are served in turns where operations are dispatched, six at a time, and a virtual machine's neighbour is nearly always there:
# leaves of 20 to 23 operations for 12 multiply-adds take 6.9 to 7.8 cycles, as with 2.9 a cycle, and not 6 (docs/lab/ladder-2026-11.md).
_NARROW = Microarchitecture("Zen 2 to Zen 4", "AuthenticAMD", (0x17, 0x19), widest=32, datapath=32, adders=2.0, issue=3.2, displaced=0.3, crossing=Crossing(behind=0.75), prefetch=Prefetch(least_work=2.5), coefficients=_ZEN_NARROW)
KNOWN = (
    Microarchitecture("Zen 5", "AuthenticAMD", (0x1A,), adders=2.0, kernels=_AMD_DOT, coefficients=_AMD_MEMORY),
    Microarchitecture("Zen", "AuthenticAMD", (0x17,), range(0x30), widest=32, datapath=16, adders=2.0, issue=3.0, displaced=0.3, crossing=Crossing(behind=0.75), prefetch=Prefetch(least_work=2.5), coefficients=_ZEN_NARROW),
    replace(_NARROW, name="Zen 4 by 32 bytes", families=(0x19,), models=_ZEN_4),
    _NARROW,
    Microarchitecture("Zen 4", "AuthenticAMD", (0x17, 0x19), datapath=32, adders=2.0, prefetch=Prefetch(least_work=2.5, far_panel=8192, far_rows=4, light_panel=2048, next_rows=131072), kernels=_AMD_DOT, coefficients=_AMD_MEMORY),
    Microarchitecture("AMD", "AuthenticAMD", adders=2.0, kernels=_AMD_DOT, coefficients=_AMD_MEMORY),
)
"""The first that fits is taken. Families: AMD, *Processor Programming Reference*, CPUID Fn0000_0001; widths, and two pipes that add beside two that multiply: *Software Optimization Guide for the AMD Zen4
Microarchitecture* (57647), ch. 2; for Family 17h (55723), ch. 2: 16 bytes in Zen and Zen+, models 00h to 2Fh, whose vectors of 32 bytes are two operations, of which six are dispatched."""

OTHER = Microarchitecture("other", prefetch=Prefetch(far_panel=16384, later_row=8, next_rows=65536))


def of(vendor: str, family: int, vector_bytes: int = 64, model: int = 255) -> Microarchitecture:
    """The microarchitecture of a CPU whose vectors of so many bytes are used; OTHER where it is not known."""
    return next((m for m in KNOWN if m.vendor == vendor and (m.families is None or family in m.families and model in m.models) and vector_bytes <= m.widest), OTHER)

"""Cores by the numbers that they say of themselves, as Linux calls them (arch/arm64/include/asm/cputype.h): their
names, and caches of those whose systems often tell none.

Where a core has only one size, it is from Arm's Technical Reference Manuals (L1 of a Cortex-A76: 100798, A6.1). Else
the sizes are of the board that most people have with it; a comment beside them names the board. Where a system tells a
level, all further ones that it does not tell are taken not to be there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ..architecture import Cpu

ARM, QUALCOMM, APPLE, MICROSOFT, AMPERE = "0x41", "0x51", "0x61", "0x6d", "0xc0"


class ArmCore(NamedTuple):
    """A core: its name, and KiB of its caches from L1 on; none where no size is usual."""

    name: str
    kib: tuple[int, ...] = ()


UNKNOWN = (32, 512)
"""KiB of an unknown core: as the smallest cores of 64 bits have that run such programs. A guess."""

PARTS: dict[tuple[str, int], ArmCore] = {
    (ARM, 0xD03): ArmCore("Cortex-A53", (32, 512)),  # Raspberry Pi 3 (BCM2837)
    (ARM, 0xD04): ArmCore("Cortex-A35"),
    (ARM, 0xD05): ArmCore("Cortex-A55", (32, 128)),  # Rockchip RK3588
    (ARM, 0xD07): ArmCore("Cortex-A57", (32, 2048)),  # Jetson Nano (Tegra X1); L1 of data 32 KiB (DDI 0488)
    (ARM, 0xD08): ArmCore("Cortex-A72", (32, 1024)),  # Raspberry Pi 4 (BCM2711); L1 of data 32 KiB (100095)
    (ARM, 0xD09): ArmCore("Cortex-A73"),
    (ARM, 0xD0A): ArmCore("Cortex-A75"),
    (ARM, 0xD0B): ArmCore("Cortex-A76", (64, 512, 2048)),  # Raspberry Pi 5 (BCM2712); L1 64 KiB (100798)
    (ARM, 0xD0C): ArmCore("Neoverse N1", (64, 1024, 32768)),  # Graviton2; L1 64 KiB (100616)
    (ARM, 0xD0D): ArmCore("Cortex-A77", (64, 512)),
    (ARM, 0xD0E): ArmCore("Cortex-A76AE"),
    (ARM, 0xD40): ArmCore("Neoverse V1", (64, 1024, 32768)),  # Graviton3
    (ARM, 0xD41): ArmCore("Cortex-A78"),
    (ARM, 0xD42): ArmCore("Cortex-A78AE"),
    (ARM, 0xD44): ArmCore("Cortex-X1"),
    (ARM, 0xD46): ArmCore("Cortex-A510"),
    (ARM, 0xD47): ArmCore("Cortex-A710"),
    (ARM, 0xD48): ArmCore("Cortex-X2"),
    (ARM, 0xD49): ArmCore("Neoverse N2"),
    (ARM, 0xD4B): ArmCore("Cortex-A78C"),
    (ARM, 0xD4C): ArmCore("Cortex-X1C"),
    (ARM, 0xD4D): ArmCore("Cortex-A715"),
    (ARM, 0xD4E): ArmCore("Cortex-X3"),
    (ARM, 0xD4F): ArmCore("Neoverse V2", (64, 2048, 36864)),  # Graviton4
    (ARM, 0xD80): ArmCore("Cortex-A520"),
    (ARM, 0xD81): ArmCore("Cortex-A720"),
    (ARM, 0xD82): ArmCore("Cortex-X4"),
    (ARM, 0xD84): ArmCore("Neoverse V3"),
    (ARM, 0xD85): ArmCore("Cortex-X925"),
    (ARM, 0xD8E): ArmCore("Neoverse N3"),
    (QUALCOMM, 0x001): ArmCore("Oryon"),
    (QUALCOMM, 0x804): ArmCore("Kryo 4XX Gold"),
    (QUALCOMM, 0x805): ArmCore("Kryo 4XX Silver"),
    # of performance cores 128 KiB, of a cluster 12 or 16 MiB, of efficiency cores 64 KiB and 4 MiB, as macOS tells them
    (APPLE, 0x022): ArmCore("Apple M1, efficiency core", (64, 4096)),
    (APPLE, 0x023): ArmCore("Apple M1", (128, 12288)),
    (APPLE, 0x024): ArmCore("Apple M1 Pro, efficiency core", (64, 4096)),
    (APPLE, 0x025): ArmCore("Apple M1 Pro", (128, 12288)),
    (APPLE, 0x028): ArmCore("Apple M1 Max, efficiency core", (64, 4096)),
    (APPLE, 0x029): ArmCore("Apple M1 Max", (128, 12288)),
    (APPLE, 0x032): ArmCore("Apple M2, efficiency core", (64, 4096)),
    (APPLE, 0x033): ArmCore("Apple M2", (128, 16384)),
    (APPLE, 0x034): ArmCore("Apple M2 Pro, efficiency core", (64, 4096)),
    (APPLE, 0x035): ArmCore("Apple M2 Pro", (128, 16384)),
    (APPLE, 0x038): ArmCore("Apple M2 Max, efficiency core", (64, 4096)),
    (APPLE, 0x039): ArmCore("Apple M2 Max", (128, 16384)),
    (MICROSOFT, 0xD49): ArmCore("Azure Cobalt 100"),
    (AMPERE, 0xAC3): ArmCore("AmpereOne"),
    (AMPERE, 0xAC4): ArmCore("AmpereOne"),
}

_BRANDS = {part.name: model for (vendor, model), part in PARTS.items() if vendor == APPLE}
_SAME = {"Apple M1 Ultra": "Apple M1 Max", "Apple M2 Ultra": "Apple M2 Max"}  # two of them


def name(cpu: Cpu) -> str:
    """The name of a core; empty where it is not known."""
    return _part(cpu).name


def caches(cpu: Cpu, told: Mapping[int, int]) -> dict[int, int]:
    """Bytes of its caches by level: as its system tells them, below and without those as its maker says."""
    usual = {level: kib << 10 for level, kib in enumerate(_part(cpu).kib or UNKNOWN, 1)}
    last = max(told, default=len(usual))
    return {level: size for level, size in usual.items() if level <= last} | dict(told)


def branded(brand: str) -> Cpu:
    """The performance core that macOS calls by a chip's name: `Apple M1 Pro`. The model 0 where no one here knows
    it."""
    if not brand.startswith("Apple "):
        return Cpu()
    return Cpu(APPLE, 8, _BRANDS.get(_SAME.get(brand, brand), 0))


NUMBER = "regs/identification/midr_el1"
"""Documentation/arch/arm64/cpu-feature-registers.rst of Linux."""


def numbered(text: str) -> Cpu:
    """The core of a value of MIDR_EL1: its maker in bits 24 to 31, its part in bits 4 to 15 (Arm Architecture Reference
    Manual, D17.2)."""
    found = re.fullmatch(r"0x([0-9a-f]{8,16})", text.strip())
    number = int(found[1], 16) if found else 0
    return Cpu(f"{number >> 24 & 0xFF:#04x}", 8, number >> 4 & 0xFFF) if number else Cpu()


def _part(cpu: Cpu) -> ArmCore:
    return PARTS.get((cpu.vendor, cpu.model), ArmCore(""))

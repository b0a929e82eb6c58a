"""What systems tell a process of the CPUs that it runs on: one file for each system."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..architecture import Architecture, Cpu


@dataclass(frozen=True)
class ToldMachine:
    """What a system tells of the cores that a process computes on: of several kinds, of the largest.

    architecture  of the CPU, None where the system says nothing that one is known by
    flags         its features, as Linux calls them
    caches        bytes by level, of those that are told
    cores, cpus   that this process may compute on; of the whole machine
    name, clock   for people; GHz, 0 where it is not told
    """

    architecture: Architecture | None
    cpu: Cpu
    flags: frozenset[str]
    caches: dict[int, int]
    cores: int = 1
    cpus: int = 1
    name: str = ""
    clock: float = 0.0


def number(word: str) -> int:
    """What a CPU says of itself, in tens or as 0x..; 0 where it says none."""
    if not re.fullmatch(r"0x[0-9a-fA-F]{1,8}|[0-9]{1,12}", word):
        return 0
    return int(word, 16 if word.startswith("0x") else 10)

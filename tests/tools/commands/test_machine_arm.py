"""What `griotte doctor` says on machines of Arm."""

import pytest
from griotte.machine import best, build
from griotte.machine.detect import described
from griotte.machine.systems.linux import bytes_of_caches
from griotte.tools.commands import machine as commands
from recorded import CACHES, GRAVITON3, RASPBERRY4, RASPBERRY5, cpuinfo


@pytest.fixture
def says(monkeypatch):
    """What it finds on the machine that tells this of itself, by name."""

    def found(text, caches):
        monkeypatch.delenv("GRIOTTE_CPU", raising=False)
        there = described(text, bytes_of_caches(caches if isinstance(caches, list) else CACHES[caches]), 4, 4)
        native = build(best(there), there, "native")
        monkeypatch.setattr(commands, "detect", lambda: there)
        monkeypatch.setattr(commands, "named", lambda name: native)
        return {each.name: each for each in commands._machine()}

    return found


def test_of_a_cpu_that_has_a_file_it_says_how_its_prices_were_come_by(says):
    found = says(GRAVITON3, "graviton2")
    assert found["CPU"].found == "Neoverse V1, 4 cores for this process"
    assert {"asimd", "asimddp", "bf16", "i8mm"} <= set(found["features"].found.split())
    assert found["caches"].ok and found["caches"].found == "L1 64 KiB, L2 1 MiB, L3 32 MiB"
    prices = found["prices"]
    assert prices.ok and prices.found == (
        "set by hand (of published timings; not run) for machine neoverse-v1: no difference known"
    )
    assert "griotte calibrate" in prices.do
    assert found["run"].ok is None and "in an emulator alone, never on a machine like this" in found["run"].found


def test_where_no_file_is_of_it_the_nearest_is_named_and_what_is_apart(says):
    found = says(RASPBERRY4, "none")
    assert found["caches"].ok is None and "of L1 and L2 the system tells nothing" in found["caches"].found
    assert found["prices"].ok is None and found["prices"].found == (
        "set by hand (of published timings; not run) for machine cortex-a76: model 0xd08 for 0xd0b, L1 32 KiB for 64,"
        " L2 1024 KiB for 512, L3 none for 2048"
    )


def test_a_core_of_the_same_kind_is_called_so(says):
    found = says(cpuinfo("fp asimd", ("0x41", "0xd41")), "raspberry5")
    assert (
        found["prices"].ok is None
        and "machine cortex-a76, a core of the same kind: model 0xd41" in found["prices"].found
    )


def test_a_cache_that_alone_is_not_told_is_named(says):

    assert "of L1 the system tells nothing" in says(RASPBERRY5, [("Unified", "512K", "2")])["caches"].found

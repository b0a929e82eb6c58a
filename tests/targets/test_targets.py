"""Targets are data: what holds for each of them, and that nothing outside their room names an instruction set."""

import re
from dataclasses import replace
from pathlib import Path

import griotte
import pytest
from griotte.errors import TargetError
from griotte.targets import COEFFICIENTS, NAMES, Machine, best, by_hand, detect, known_features, named, resolve
from griotte.targets.microarchitectures import KNOWN, OTHER, of

SOURCE = Path(griotte.__file__).parent
# Where names of targets are shown to a person.
SHOWN = {"commands/options.py", "schedule.py", "errors.py"}


def test_nothing_outside_targets_names_an_instruction_set():
    naming = re.compile(r"avx|_mm\d+_|vnni|immintrin", re.IGNORECASE)
    files = (p.relative_to(SOURCE) for p in SOURCE.rglob("*.py"))
    found = [str(p) for p in files if p.parts[0] != "targets" and str(p) not in SHOWN and naming.search((SOURCE / p).read_text())]
    assert found == []


def test_search_names_no_operation():
    naming = re.compile(r"\bmatmul\b|\bconv2d\b|\bsoftmax\b")
    assert [p.name for p in (SOURCE / "search").glob("*.py") if naming.search(p.read_text())] == []


@pytest.mark.parametrize("name", NAMES)
def test_levels_rise_and_every_coefficient_is_there(name):
    target = named(name)
    capacities = [level.capacity for level in target.levels[1:-1]]
    assert capacities == sorted(capacities) and target.levels[-1].capacity is None
    assert {f"{what}.{level.name}" for what in ("line", "run") for level in target.levels[1:]} <= set(target.coefficient)
    assert {"cycles", "call", "loop", "fork", "pages"} <= set(target.coefficient)


def test_clang_is_told_to_use_wide_vectors():
    assert "-mprefer-vector-width=512" in named("avx512").flags  # it splits 64-byte vectors in two when left alone


def test_native_is_the_widest_that_the_flags_allow():
    machine = lambda *flags: Machine(frozenset(flags), {}, 1, "")  # noqa: E731
    assert best(machine()) == "portable"
    assert best(machine("avx", "avx2", "fma", "f16c")) == "avx2"
    assert best(Machine(known_features(), {}, 1, "")) == "avx512"


def made_by(vendor: str, family: int, base: str = "avx512"):
    return by_hand(base, Machine(known_features(), {1: 48 << 10, 2: 1 << 20, 3: 32 << 20}, 2, "", vendor, 2, family), "any")


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_microarchitectures_differ_in_what_is_declared(known):
    base = "avx512" if known.widest == 64 else "avx2"
    target, plain = made_by(known.vendor, (known.families or (0,))[0], base), made_by("nobody", 0, base)
    assert plain.coefficient == COEFFICIENTS and set(known.coefficients) <= set(COEFFICIENTS)
    assert target.coefficient == COEFFICIENTS | known.coefficients != COEFFICIENTS
    changed = {k.name: k for k in target.kernels}
    assert set(known.kernels) <= set(changed)
    assert all(getattr(changed[name], field) == value for name, fields in known.kernels.items() for field, value in fields.items())
    assert target.crossing == known.crossing and target.ports.displaced == known.displaced


def test_the_first_that_fits_is_taken():
    assert of("AuthenticAMD", 0x1A).name == "Zen 5" and of("AuthenticAMD", 0x19).name == "Zen 4"
    assert of("AuthenticAMD", 0x99).name == "AMD" and of("GenuineIntel", 6) is OTHER


@pytest.mark.parametrize("vector_bytes, name", [(16, "Zen 2 to Zen 4"), (32, "Zen 2 to Zen 4"), (64, "Zen 4")])
def test_a_microarchitecture_is_taken_for_vectors_no_wider_than_its_own(vector_bytes, name):
    assert of("AuthenticAMD", 0x19, vector_bytes).name == name and of("AuthenticAMD", 0x1A, vector_bytes).name == "Zen 5"


def test_the_first_of_a_family_is_told_by_its_model():
    assert [of("AuthenticAMD", 0x17, 32, model).name for model in (0x01, 0x18, 0x31, 0x71)] == ["Zen", "Zen", "Zen 2 to Zen 4", "Zen 2 to Zen 4"]
    assert of("AuthenticAMD", 0x17, 32, 1).ports(32).arithmetic == 1.0


def test_vectors_wider_than_the_datapath_take_two_turns():
    wide, narrow = of("AuthenticAMD", 0x19).ports(64), of("AuthenticAMD", 0x1A).ports(64)  # before a machine's parameters, where they are known
    assert (wide.arithmetic, wide.load, wide.store) == (narrow.arithmetic / 2, narrow.load / 2, narrow.store / 2)
    assert wide.issue == narrow.issue
    assert of("AuthenticAMD", 0x19, 32).ports(32).arithmetic == narrow.arithmetic


def test_an_unknown_target_says_what_there_is():
    with pytest.raises(TargetError, match="expected a target .*portable.*found 'mips'"):
        resolve("mips")


def test_detection_reads_caches():
    assert detect().caches[1] < detect().caches[2] <= detect().caches[3]


@pytest.mark.parametrize("kib, ways", [(32, 8), (48, 8), (64, 16), (2, 1)])
def test_a_set_of_the_nearest_cache_holds_as_many_lines_as_it_has_pages(kib, ways):
    target = named("avx512")
    near = replace(target.levels[1], capacity=kib << 10)
    assert replace(target, levels=(target.levels[0], near, *target.levels[2:])).ways == ways

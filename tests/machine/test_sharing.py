"""A measured machine as a file of machines: what is read of it is what was written; and which machines it fits."""

import tomllib
from dataclasses import replace

import pytest
from griotte.machine import best, build, detect, measured, unpriced
from griotte.machine.detect import described
from griotte.machine.machine import DEFAULTS, applied
from griotte.machine.sharing import text

OTHER = DEFAULTS | {"read.L3": 7.5, "latency": 5.0, "hidden.L2": 0.5}


@pytest.fixture
def shared(tmp_path):
    """This machine, its target as if those parameters had been measured, and the file of it."""
    machine = detect()
    base = best(machine)
    held = {level.name: (level.capacity or 0) // 2 for level in build(base, machine).levels[-2:-1]}
    goal = build(base, machine, "native", whole=True)
    goal = replace(goal, ports=replace(goal.ports, displaced=0.75), prefetch=replace(goal.prefetch, panel=4096))
    target = applied(goal, OTHER, held)
    path = tmp_path / "shared.toml"
    remarks = ("a remark", "with\nlines and \x1b")
    path.write_text(
        text(
            machine,
            target,
            unpriced(base, machine, "native"),
            OTHER,
            held,
            "2026-11-30",
            {"exp(f32[8])@1": 0.9},
            remarks,
        )
    )
    return machine, target, path


def test_what_is_read_is_what_was_written(shared):
    machine, target, path = shared
    found = measured.load(path)
    assert found.priced(unpriced(best(machine), machine, "native")) == target
    assert found.prices.parameters == OTHER and found.when == "2026-11-30" and not found.by_hand
    assert path.read_text().startswith("# a remark\n# with")


@pytest.mark.parametrize("there, had, told", [(32, 32, 32), (32, 12, 12), (8, 8, None), (4, 2, 2)])
def test_what_a_thread_has_is_told_where_programs_would_count_on_another_part(there, had, told):
    """Without a word of it two CPUs count on 8 MiB of L3."""
    here = detect()
    machine = replace(here, caches=here.caches | {3: there << 20}, cpus=2)
    plain = unpriced(best(machine), machine, "native")
    target = applied(plain, OTHER, {"L3": had << 20})
    found = tomllib.loads(text(machine, target, plain, OTHER, {"L3": had << 20}))
    assert found.get("held", {}).get("L3") == (told and told << 20)


def test_it_fits_this_machine_and_no_other(shared):
    machine, target, path = shared
    found = measured.load(path)
    guest = machine.flags ^ {"hypervisor"}
    assert found.fits(machine) and found.serves(machine, target.vector_bytes)
    assert not found.fits(replace(machine, flags=guest))
    assert not found.fits(replace(machine, caches=machine.caches | {2: 12345 << 10}))
    assert not found.fits(replace(machine, cpu=machine.cpu._replace(model=machine.cpu.model + 1)))


def test_a_file_that_says_nothing_of_guests_is_for_both(shared, tmp_path):
    machine, _, path = shared
    path.write_text("\n".join(line for line in path.read_text().splitlines() if not line.startswith("guest")))
    assert all(
        measured.load(path).fits(replace(machine, flags=flags))
        for flags in (machine.flags, machine.flags ^ {"hypervisor"})
    )


def test_the_file_of_a_very_machine_comes_before_one_of_its_cpu(shared, monkeypatch):
    machine, target, path = shared
    monkeypatch.setattr(measured, "known", lambda: (*measured.shipped(), measured.load(path)))
    assert measured.nearest(machine, target.vector_bytes).name in ("shared", measured.nearest_shipped(machine, 32).name)
    bare = replace(machine, flags=machine.flags ^ {"hypervisor"})
    assert measured.nearest(bare, target.vector_bytes).path != path or not measured.nearest_shipped(bare, 32).fits(bare)


def test_a_guest_is_told_by_its_flags():
    says = "processor : 0\nvendor_id : GenuineIntel\ncpu family : 6\nmodel : 167\nflags : avx2{}\n"
    assert [described(says.format(more), {1: 32768}).is_guest for more in (" hypervisor", "")] == [True, False]

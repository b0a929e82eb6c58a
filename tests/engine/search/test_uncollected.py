"""A search runs no collector of cyclic garbage, and leaves it nothing to look through."""

import gc
import subprocess
import sys
import textwrap

import griotte as gt
import pytest
from griotte.engine.search.graph import uncollected


@pytest.fixture(autouse=True)
def collecting():
    """The collector at work, whatever the tests' own process does."""
    was = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if was else gc.disable)()


def told(code: str) -> str:
    """What a process of its own prints."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_what_a_search_leaves_is_not_looked_through_again():
    code = """
        import gc
        from griotte.engine.search.graph import uncollected
        with uncollected():
            kept = [[n] for n in range(50_000)]
        young = {id(each) for generation in (0, 1) for each in gc.get_objects(generation)}
        print(gc.isenabled(), sum(id(each) in young for each in kept))
    """
    assert told(code) == "True 0"


def test_cycles_that_are_left_are_still_found():
    class Held:
        gone = 0

        def __del__(self):
            Held.gone += 1

    with uncollected():
        held = Held()
        held.itself = held
        del held
    assert not Held.gone
    gc.collect()
    assert Held.gone == 1


def test_who_does_without_a_collector_still_does():
    gc.disable()
    with uncollected():
        pass
    assert not gc.isenabled()


def test_what_a_user_froze_stays_frozen():
    code = """
        import gc
        import griotte as gt
        gc.freeze()
        frozen = gc.get_freeze_count()
        gt.synthesize("sum(f32[2,3], axis=1)", target="portable", table="none")
        print(frozen > 0 and gc.get_freeze_count() > frozen // 2)
    """
    assert told(code) == "True"


def test_a_search_within_is_part_of_it():
    with uncollected():
        gt.synthesize("sum(f32[2,5], axis=1)", target="portable", table="none")
        assert not gc.isenabled()
    assert gc.isenabled()

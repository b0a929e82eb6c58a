"""The cache is bounded: tables and kernels together, the least recently used first, and never what is about to be
used."""

import os
import time

import griotte as gt
import pytest
from griotte.engine.table.file import opened
from griotte.engine.table.store import CachedStore, held_families
from griotte.machine import named
from griotte.runtime import cache_size, toolchain
from griotte.support.folders import MOMENT_S, note_use
from tables import Family, patch
from verbs import run, run_json

OLD = int(time.time() - 10 * MOMENT_S)


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path))
    monkeypatch.setattr(cache_size, "_room", {})
    for name in ("kernels", "tables", "failed"):
        (tmp_path / name).mkdir(mode=0o700)
    yield tmp_path
    opened(table(tmp_path)).close()


def table(home):
    return home / "tables" / "default.griotte"


def kernel(home, name: str, at: float = OLD, size: int = 100_000):
    for path, count in ((home / "kernels" / f"{name}.so", size - 64), (home / "kernels" / f"{name}.sha256", 64)):
        path.write_bytes(b"x" * count)
        os.utime(path, (at, at))


def kernels(home) -> set[str]:
    return {path.name.partition(".")[0] for path in (home / "kernels").iterdir()}


def family(home, key: str, at: int = OLD, met: bool = True):
    """A family of some 100 kB."""
    store = CachedStore(table(home), named("portable"))
    noise = [(i * i * 7919) % 4093 for i in range(50_000)]
    store.keep((key, Family, patch(noise, tuple(range(1, 50_001)))))
    store.file.write(lambda db: db.execute("UPDATE use SET at = ?, met = ? WHERE key = ?", (at, met, key)))
    store.file.settle()


def families(home) -> set[str]:
    return {family.key for family in held_families(table(home))}


def test_a_cache_within_its_limit_stays(home, monkeypatch):
    kernel(home, "a")
    family(home, "f")
    monkeypatch.setenv("GRIOTTE_CACHE_SIZE", str(cache_size.usage().bytes))
    assert cache_size.sweep() == cache_size.usage().bytes == cache_size.limit()
    assert kernels(home) == {"a"} and families(home) == {"f"}


def test_the_least_recently_used_goes_first_of_tables_and_kernels_together(home, monkeypatch):
    for k, name in enumerate("abcdef"):
        (kernel if k % 2 else family)(home, name, OLD + k)
    whole = cache_size.usage()
    assert whole.kernels == 300_000 and whole.tables > 200_000
    monkeypatch.setenv("GRIOTTE_CACHE_SIZE", str(whole.bytes - 100))
    assert cache_size.sweep() < 0.95 * whole.bytes
    assert families(home) == {"c", "e"} and kernels(home) == {"b", "d", "f"}
    monkeypatch.setenv("GRIOTTE_CACHE_SIZE", "250KiB")
    assert cache_size.sweep() <= 250 << 10
    assert families(home) <= {"e"} and kernels(home) == {"f"}


def test_what_no_spec_met_goes_before_all_else(home, monkeypatch):
    family(home, "unmet", OLD + 100, met=False)
    family(home, "met", OLD)
    kernel(home, "a", OLD - 100)
    (home / "failed" / "x.c").write_bytes(b"x" * 1000)
    (home / "tables" / "default.griotte.damaged").write_bytes(b"x" * 1000)
    for path in (home / "failed" / "x.c", home / "tables" / "default.griotte.damaged"):
        os.utime(path, (OLD + 50, OLD + 50))
    monkeypatch.setenv("GRIOTTE_CACHE_SIZE", str(cache_size.usage().bytes - 100))
    cache_size.sweep()
    assert families(home) == {"met"} and kernels(home) == {"a"}
    assert not list((home / "failed").iterdir()) and len(list((home / "tables").glob("*.damaged"))) == 0


def test_what_was_used_a_moment_ago_stays_whatever_the_limit(home, monkeypatch):
    kernel(home, "old")
    kernel(home, "asked")
    family(home, "young", int(time.time()))
    note_use(home / "kernels" / "asked.so")
    monkeypatch.setenv("GRIOTTE_CACHE_SIZE", "1")
    assert cache_size.sweep() > 200_000
    assert kernels(home) == {"asked"} and families(home) == {"young"}


def test_a_kernel_that_was_used_since_it_was_looked_at_stays(home):
    kernel(home, "a")
    (kept,) = cache_size._files(home, "kernels")
    note_use(home / "kernels" / "a.so")
    cache_size._remove(kept)
    assert kernels(home) == {"a"}


def test_a_kernel_from_the_cache_is_noted_as_used(home, monkeypatch):
    library = toolchain.compile_shared("int answer(void) { return 42; }\n")
    os.utime(library, (OLD, OLD))
    assert toolchain.compile_shared("int answer(void) { return 42; }\n") == library
    assert library.stat().st_mtime > time.time() - MOMENT_S
    monkeypatch.setenv("GRIOTTE_CACHE_SIZE", "1")
    cache_size.sweep()
    assert toolchain.verified(library)


def test_who_writes_looks_after_it(home, monkeypatch):
    kernel(home, "a", size=1 << 20)
    monkeypatch.setenv("GRIOTTE_CACHE_SIZE", "1MiB")
    toolchain.compile_shared("int answer(void) { return 43; }\n")
    assert "a" not in kernels(home) and len(kernels(home)) == 1


def test_it_is_not_looked_at_again_before_a_part_of_the_room_is_written(home, monkeypatch):
    looked = []
    monkeypatch.setattr(cache_size, "sweep", lambda: looked.append(1) or 0)
    monkeypatch.setenv("GRIOTTE_CACHE_SIZE", "800")
    for count in (1, 50, 50, 1, 50):
        cache_size.wrote(count)
    assert len(looked) == 2


@pytest.mark.parametrize("given", ["", "1GiB", "1073741824", "1024 MiB"])
def test_the_limit_is_a_gibibyte_or_what_is_said(monkeypatch, given):
    monkeypatch.setenv("GRIOTTE_CACHE_SIZE", given)
    assert cache_size.limit() == 1 << 30


@pytest.mark.parametrize("given", ["0", "much", "-1", "1e9"])
def test_a_limit_that_is_none_is_refused_before_there_is_work_to_lose(home, monkeypatch, given):
    monkeypatch.setenv("GRIOTTE_CACHE_SIZE", given)
    for act in (lambda: toolchain.compile_shared("int f;\n"), lambda: gt.compile("exp(f32[8])", table="none")):
        with pytest.raises(gt.ToolchainError, match=f"in GRIOTTE_CACHE_SIZE, found '{given}'; write one, or unset it"):
            act()
    assert run_json("doctor")["findings"][-2]["found"].endswith(f"found '{given}'")


def test_it_is_told_how_full_it_is(home):
    kernel(home, "a")
    family(home, "f")
    kept = cache_size.usage()
    assert f"of 1 GiB: solved Specs {kept.tables / 1024:.3g} KiB, 1 kernels 97.7 KiB" in run("doctor")
    found = run_json("table", "stats", str(table(home)))
    assert (found["cache_bytes"], found["cache_limit"]) == (kept.bytes, 1 << 30)
    assert "the cache it is in: " in run("table", "stats", str(table(home)))
    elsewhere = home / "t.griotte"
    elsewhere.write_bytes(table(home).read_bytes())
    assert "cache_bytes" not in run_json("table", "stats", str(elsewhere))

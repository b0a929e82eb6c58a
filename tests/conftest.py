"""What all tests share: golden files can be refreshed, no test touches the user's cache, long tests run when asked for,
and what was left out for want of a CPU feature is told."""

import gc
import itertools
import os
import shlex
import sys
from collections import Counter
from pathlib import Path

import checked
import pytest
from cpu_seconds import CpuByFile
from features import left_out
from griotte.runtime import toolchain
from headers import keep_in, precompiled
from hypothesis import settings

TESTS = Path(__file__).parent
# folders whose tests are of what is kept, or meet griotte as a user does: `make test` keeps their tables
KEEPING = (".", "compiler", "engine/table", "support", "tools")
# those, and where a search is compared with brute force: on all CPUs
ON_ALL_CPUS = (*KEEPING, "compiler/partition", "engine/search")
# what calls and models mean, however they are cut and compiled: what is more than SEARCHED at effort 2 is found to be
# too much for one search in a second, not ten
MEANING = ("engine/canonical", "engine/idioms", "lang", "models")
READERS = ("from_jax", "from_torch", "onnx", "readers")
SEARCHES = ("compiler", "engine")
SEARCHED = "1.2e9"
# what JAX computes to compare with is compiled once and run once
LITTLE_XLA = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
UNCOLLECTED = 1_000_000  # objects, some 100 MB
WHOLE = (
    8  # one in so many collections goes over what survived the others as well: many millions of objects, for seconds
)
# by -fexpensive-optimizations products are added in one rounding, as at the other levels
FIRST_LEVEL = """#!/bin/sh
for word do
    shift
    if [ "$word" = -O3 ]; then set -- "$@" -O1 -fexpensive-optimizations; else set -- "$@" "$word"; fi
done
exec COMPILER "$@"
"""

CPU = CpuByFile()
COLLECTIONS = itertools.count(1)
compiled = checked.compiled  # a fixture: single kernels of a file are compiled together

# machines are shared, and no test is timed; a third of the examples of "anew"
settings.register_profile("fixed", deadline=None, derandomize=True, max_examples=33)
settings.register_profile("anew", deadline=None)


def pytest_configure(config):
    """What Hypothesis draws is the same in every `make test`; `make test-all` draws anew. Bytecode is kept, whatever
    the environment says: without it each process that a test starts compiles hundreds of files, 0.3 s."""
    settings.load_profile("anew" if config.getoption("--all") else "fixed")
    if not config.getoption("--all"):
        os.environ.setdefault("XLA_FLAGS", LITTLE_XLA)
    os.environ.setdefault("GRIOTTE_CALIBRATE", "off")  # machines are as the files say that come with griotte
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def pytest_addoption(parser):
    parser.addoption(
        "--refresh-golden",
        action="store_true",
        help="write tests/**/golden/* and tests/engine/table/*_versions.json anew from what is generated now",
    )
    parser.addoption("--cpu", action="store_true", help="end with the CPU seconds of each file")
    parser.addoption("--all", action="store_true", help="run the tests marked long as well: make test-all")


def pytest_collection_modifyitems(config, items):
    """Leave out what is marked long, as deselected, unless --all asks for it."""
    if config.getoption("--all"):
        return
    long = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if not item.get_closest_marker("long")]


def pytest_collection_finish():
    """What is loaded by now stays: the collector of cyclic garbage leaves it alone, and comes by between tests alone,
    once much was made: within one it goes over all families of a search for nothing (an eighth of the time of a
    run). What outlives a collection is left alone from then on as well."""
    gc.collect()
    gc.freeze()
    gc.disable()
    CPU.begin()


def pytest_runtest_teardown():
    gc.disable()  # some tests turn it on
    if gc.get_count()[0] > UNCOLLECTED:
        if next(COLLECTIONS) % WHOLE == 0:
            gc.unfreeze()
        gc.collect()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Each phase of a test tells what it took of the CPU, where that is asked for."""
    report = yield
    if item.config.getoption("--cpu"):
        CPU.note(report)
    return report


def pytest_runtest_logreport(report):
    CPU.add(report)


def pytest_terminal_summary(terminalreporter):
    """What each file took, where that is asked for; how many tests were left out for want of which CPU features."""
    if terminalreporter.config.getoption("--cpu"):
        terminalreporter.write_sep("=", "CPU seconds of each file")
        for line in CPU.lines():
            terminalreporter.write_line(line)
    found = Counter(
        lacking for report in terminalreporter.stats.get("skipped", ()) if (lacking := left_out(report.longrepr))
    )
    terminalreporter.write_sep("=", f"{sum(found.values())} tests left out for want of CPU features")
    for lacking, count in sorted(found.items(), key=lambda row: (-row[1], row[0])):
        terminalreporter.write_line(f"{count:5}  {lacking}")


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory):
    """A folder that all processes of a run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own


@pytest.fixture(scope="session")
def session_cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def cache(session_cache, monkeypatch):
    """A cache that the tests share: no test reads or writes the user's."""
    monkeypatch.setenv("GRIOTTE_CACHE", str(session_cache))
    return session_cache


@pytest.fixture(scope="session", autouse=True)
def headers(shared_folder):
    """Intrinsics' header is read once for all kernels that the processes of a run compile with the same flags."""
    keep_in(shared_folder / "headers")
    ran = toolchain._ran

    def with_header(words, folder, command):
        source = next((word for word in words if word.endswith(".c")), None)
        if source is None:
            return ran(words, folder, command)
        first, last = len(command), words.index(source)
        text = (folder / source).read_text(encoding="utf-8")
        more = precompiled(toolchain.find_compiler(), tuple(words[first:last]), text)
        return ran([*words[:last], *more, *words[last:]], folder, command)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(toolchain, "_ran", with_header)
        yield


@pytest.fixture(scope="session")
def quick_compiler(tmp_path_factory):
    """The compiler, as one that takes its first level where it is asked for the third."""
    path = tmp_path_factory.mktemp("compiler") / "quick"
    path.write_text(FIRST_LEVEL.replace("COMPILER", shlex.join(toolchain.find_compiler().command)))
    path.chmod(0o755)
    return str(path)


@pytest.fixture(scope="module", autouse=True)
def little_work(request):
    """What `make test` does less of than `make test-all`, by the folder of a file.

    Without a table of their own, tests of most folders keep none: hardly a family of their many small Specs is met
    twice, and keeping them takes a third of the time of a search. They search on one thread, and parts of models in the
    process itself: `make test` runs as many processes as there are CPUs, and threads and processes take more time in
    all than they save. Tests of what calls and models mean, of their readers and of the search take gcc's first level:
    what the others make of the C is tested where the C is (tests/codegen, tests/machine, tests/runtime). Those of
    meaning search less as one: of a graph of many nests thousands of families would be counted, and then it would be
    cut all the same; whoever gives an effort of 1 or 3 has it.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRIOTTE_CACHE", str(request.getfixturevalue("session_cache")))  # for fixtures of a file as well
        patch.setenv("GRIOTTE_SHIPPED", "none")  # what a test is to solve was not solved before
        if not request.config.getoption("--all"):
            _set_little(patch, request)
        yield


def _set_little(patch, request) -> None:
    room = request.path.parent.relative_to(TESTS)
    rooms = {room.as_posix(), *(each.as_posix() for each in room.parents)} - {"."} or {"."}
    if room.as_posix() not in KEEPING:
        patch.setenv("GRIOTTE_TABLE", "none")
    if room.as_posix() not in ON_ALL_CPUS:
        patch.setenv("GRIOTTE_WORKERS", "1")
    if rooms & {*MEANING, *READERS, *SEARCHES}:
        patch.setenv("CC", request.getfixturevalue("quick_compiler"))
    if rooms & set(MEANING) and not room.as_posix().startswith("models/"):
        patch.setenv("GRIOTTE_WORK", SEARCHED)

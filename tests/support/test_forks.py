"""Forks while other threads are at something: children and parents go on."""

import os
import re
import sys
from pathlib import Path

import griotte
import pytest
from own_process import run

if not hasattr(os, "fork"):
    pytest.skip("no forks on this system", allow_module_level=True)

LOCKS = """
import time
from functools import cached_property
from griotte import forks

def child(work):
    if (pid := os.fork()) == 0:
        signal.alarm(120)
        os._exit(0 if work() else 1)
    assert os.waitpid(pid, 0)[1] == 0

def holding(lock, seconds):
    held = threading.Event()
    def hold():
        with lock:
            held.set()
            time.sleep(seconds)
    thread = threading.Thread(target=hold, daemon=True)
    thread.start()
    held.wait()
    return thread

def takes(lock):
    def work():
        thread = threading.Thread(target=lambda: lock.__enter__(), daemon=True)
        thread.start()
        thread.join(60)
        return not thread.is_alive()
    return work
"""


def test_a_fork_waits_for_locks_that_are_held_shortly():
    run(
        LOCKS
        + """
first, second = forks.ForkLock(), forks.ForkLock()
taken = threading.Event()
def both():
    with second:
        taken.set()
        time.sleep(0.2)
        with first:
            time.sleep(0.1)
thread = threading.Thread(target=both)
begun = time.monotonic()
thread.start()
taken.wait()
child(takes(first)), child(takes(second))
assert 0.3 <= time.monotonic() - begun
thread.join()
with first:
    child(lambda: True)  # of the thread that forks itself
"""
    )


def test_locks_that_are_held_for_long_are_new_in_a_child():
    run(
        LOCKS
        + """
lock = forks.ForkLock(waits=False)
thread = holding(lock, 600)
child(takes(lock))
assert not lock.lock.acquire(timeout=0)  # the parent's is held still
"""
    )


def test_a_fork_waits_up_to_a_bound():
    run(
        LOCKS
        + """
forks.PATIENCE_S = 0.3
own = forks.ForkLock()
class Library:
    lock = threading.Lock()
forks.hold_at_fork(Library, "lock"), forks.hold_at_fork(Library, "no such")
free = forks.ForkLock()
threads = [holding(own, 600), holding(Library.lock, 600)]
child(lambda: takes(own)() and takes(Library.lock)() and takes(free)())
assert not own.lock.acquire(timeout=0) and not Library.lock.acquire(timeout=0) and free.lock.acquire(timeout=0)
"""
    )


def test_values_that_are_kept_with_their_objects_are_found_in_a_child():
    run(
        LOCKS
        + """
from griotte.support.errors import GriotteError
import griotte.support.errors
class Slow:
    @cached_property
    def value(self):
        begun.set()
        if threading.current_thread() is not threading.main_thread():
            over.wait(600)
        return 7
griotte.support.errors.Slow = Slow  # in a module of griotte
begun, over = threading.Event(), threading.Event()
thread = threading.Thread(target=lambda: Slow().value, daemon=True)
thread.start()
begun.wait()
child(lambda: Slow().value == 7)
assert thread.is_alive()
"""
    )


def test_a_module_that_is_imported_meanwhile_is_there():
    run(
        LOCKS
        + """
thread = threading.Thread(target=lambda: gt.ModelGraph)
thread.start()
time.sleep(0.02)
child(lambda: gt.ModelGraph is not None)
thread.join()
"""
    )


BUSY = """
import time
going, did = True, [0]
k = shared("exp(f32[256,512])")
expected = k(x)

def kernel(n):
    assert (k(x) == expected).all()

def search(n):
    gt.synthesize(f"matmul(f32[{8 + n},16], f32[16,{8 + n}])", target="portable")

def compile(n):
    gt.compile(f"exp(f32[{8 + n},8])", target="portable")

def model(n):  # of several parts, which processes solve
    a, b = np.ones((16, 8 + n), "f4"), np.ones((8 + n, 24), "f4")
    gt.compile(gt.graph(lambda x: np.exp(np.exp(x @ a) @ b[:16] @ b.T), np.ones((4, 16), "f4")), target="portable")

def works():
    n = 0
    while going:
        n += 1
        globals()[BUSY](n)
        did[0] += 1

def begin():
    thread = threading.Thread(target=works, daemon=True)
    thread.start()
    while not did[0]:
        time.sleep(0.001)
    return thread

def own(number):
    right = (k(x) == expected).all()
    found = gt.compile(f"sqrt(f32[{3 + number},5])", target="portable")(np.ones((3 + number, 5), "f4"))
    return right and (found == 1).all() and gt.synthesize(f"sum(f32[{9 + number},7], axis=0)", target="portable")

def forked(number):
    if (child := os.fork()) == 0:
        signal.alarm(120)
        try:
            os._exit(0 if own(number) else 1)
        finally:
            os._exit(2)
    return child
"""


LONG = ("kernel", "compile", "model")


@pytest.mark.parametrize("busy", ["search", *(pytest.param(each, marks=pytest.mark.long) for each in LONG)])
def test_children_work_while_the_parent_does(busy):
    run(
        BUSY
        + f"""
BUSY = {busy!r}
thread, ends = begin(), []
for number in range(3):
    time.sleep(0.05 + 0.03 * number)
    ends.append(os.waitpid(forked(number), 0)[1])
assert ends == [0] * 3, ends
before = did[0]
while did[0] < before + 2:
    time.sleep(0.01)
assert thread.is_alive() and own(9)
going = False
thread.join()
"""
    )


@pytest.mark.long
def test_workers_of_a_data_loader():
    pytest.importorskip("torch")
    run(
        BUSY
        + """
import torch
BUSY = "search"
class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 6
    def __getitem__(self, number):
        signal.alarm(150)
        assert own(number)
        return torch.from_numpy(k(x)[number])
thread = begin()
rows = list(torch.utils.data.DataLoader(Rows(), num_workers=2, batch_size=2, multiprocessing_context="fork"))
assert (torch.cat(rows).numpy() == expected[:6]).all()
going = False
thread.join()
"""
    )


@pytest.mark.long
def test_workers_of_a_server_that_loaded_the_program_ahead(tmp_path):
    """Each child of the first process serves with what was compiled before, and forks again."""
    run(
        BUSY
        + """
BUSY = "kernel"
children = [forked(number) for number in range(4)]
assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
if (child := os.fork()) == 0:
    signal.alarm(150)
    begin()
    os._exit(os.waitpid(forked(7), 0)[1])
assert os.waitpid(child, 0)[1] == 0 and own(8)
"""
    )


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="its locks are gone")
def test_python_has_a_lock_for_all_objects_of_a_class():
    """Else what forks.py does of it can go."""
    from functools import cached_property

    assert hasattr(cached_property(len), "lock")


@pytest.mark.long
@pytest.mark.parametrize("is_busy", [False, True])
def test_a_child_calls_what_torch_compiled_at_other_sizes_too(is_busy, tmp_path):
    """Which inductor may compile first, whose pool of threads is of the parent."""
    pytest.importorskip("torch")
    run(f"""
import time
os.environ["TORCHINDUCTOR_CACHE_DIR"] = {str(tmp_path)!r}
import torch
layers = torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4)
module = torch.nn.Sequential(*layers).requires_grad_(False).eval()
compiled, x = torch.compile(module, backend="griotte", dynamic=False), torch.ones(8, 16)
expected, going = module(x), True
right = lambda rows: torch.allclose(compiled(x[:rows]), expected[:rows], atol=1e-5)
assert right(8) and right(8)

def busy():
    n = 0
    while going:
        n += 1
        torch.compile(lambda a: torch.relu(a) * n, backend="griotte", dynamic=False)(torch.ones(4, 16))

thread = threading.Thread(target=busy, daemon=True)
if {is_busy}:
    thread.start()
    time.sleep(1)
if (child := os.fork()) == 0:
    signal.alarm(150)
    os._exit(0 if right(8) and right(3) else 1)
assert os.waitpid(child, 0)[1] == 0 and right(5)
going = False
thread.join() if {is_busy} else None
""")


OF_A_SEARCH = {
    "engine/search/solve.py",
    "engine/search/turns.py",
    "runtime/toolchain.py",  # an event of one call of a compiler
    "support/memory.py",
    "models/watching.py",
    "runtime/first.py",  # a child that waits has an event of its own, and a search
    "support/forks.py",
}


def test_locks_that_outlive_a_search_are_fork_locks():
    """Those of one search go with it: a child does not go on with it."""
    root = Path(griotte.__file__).parent
    locks = re.compile(r"threading\.(R?Lock|Condition|Semaphore|BoundedSemaphore|Event|Barrier)\(")
    found = {path.relative_to(root).as_posix() for path in root.rglob("*.py") if locks.search(path.read_text())}
    assert found == OF_A_SEARCH

"""Kernels within servers: calls from many threads, event loops, forks, pickles, limits, beside the threads of others,
and what goes wrong meanwhile. Nothing here looks at a clock: what stalls runs into the alarm."""

from __future__ import annotations

import asyncio
import mmap
import multiprocessing
import os
import pickle

import griotte as gt
import numpy as np
import pytest
from griotte.runtime.kernel import Kernel
from griotte.runtime.model import ModelKernel
from griotte.runtime.saved import Build, Library
from griotte.runtime.signature import Signature, TensorArg
from griotte.runtime.toolchain import compile_shared
from own_process import run

several = pytest.mark.skipif(
    not os.path.exists("/proc/self/task") or len(os.sched_getaffinity(0)) < 2,
    reason="expected /proc and two CPUs, found less",
)

WAITS = """
#include <unistd.h>
static void wait(const volatile float *x, volatile float *y)
{
    y[0] = 1; /* begun */
    for (int n = 0; x[0] == 0 && n < 200000; n++) usleep(100);
    y[0] = x[0] == 0 ? -1 : x[0];
}
void waits(const void *x, void *y) { wait(x, y); }
void model(const void *weights, const void *x, void *y) { (void)weights; wait(x, y); }
void model_pack(int64_t number, const void *from, void *to) { (void)number, (void)from, (void)to; }
"""


def waiting(kind: str):
    """A kernel whose call lasts until another thread writes to its input; it gives -1 where none did for long."""
    source = f"#include <stdint.h>{WAITS}"
    arg = TensorArg("x", "f32", (1,), (0,))
    given = compile_shared(source), frozenset(), {"cost": 1e9}, Build(())
    if kind == "kernel":
        return Kernel(Library(source, "", Signature("waits", (arg,), arg), *given))
    return ModelKernel(Library(source, "", Signature("model", (arg,), arg), *given, 0), mmap.mmap(-1, 1))


@pytest.mark.parametrize("bound", [False, True])
@pytest.mark.parametrize("kind", ["kernel", "model"])
def test_an_event_loop_runs_on_during_a_call(kind, bound):
    kernel, x, y = waiting(kind), np.zeros(1, "f4"), np.zeros(1, "f4")
    call = kernel.bind(x, out=y) if bound else lambda: kernel(x, out=y)

    async def serve() -> int:
        task, turns = asyncio.create_task(asyncio.to_thread(call)), 0
        while y[0] == 0:
            await asyncio.sleep(0)
        for _ in range(100):
            turns += not task.done()
            await asyncio.sleep(0)
        x[0] = 7
        await task
        return turns

    assert asyncio.run(serve()) == 100 and y[0] == 7


def test_a_jitted_call_lets_others_run():
    """Of a thread that is given the interpreter only where another gives it up."""
    run("""
    import time
    sys.setswitchinterval(1000)
    work, counted, going = gt.jit(target="portable", table="none")(lambda x: np.exp(x).sum()), 0, True

    def counts():
        global counted
        while going:
            counted += 1
            time.sleep(0)

    work(x)
    thread = threading.Thread(target=counts)
    thread.start()
    meanwhile = 0
    while not meanwhile:
        before = counted
        work(x)
        meanwhile = counted - before
    going = False
    thread.join()
    """)


@several
def test_many_threads_call_many_kernels():
    """8 threads, kernels of two threads each: of a Spec, of a model, and of a jitted function that is met by all."""
    run("""
    exp, root = shared("exp(f32[256,512])"), shared("sqrt(f32[256,512])")
    double = gt.jit(target="portable", table="none", threads=2)(lambda x: np.exp(x) * 2)
    wanted = exp(x), root(x), np.exp(x) * 2
    calls, wrong = [0] * 8, []

    def serve(number):
        for n in range(6):
            run, right = [(exp, wanted[0]), (root, wanted[1]), (double, wanted[2])][(n + number) % 3]
            if not np.allclose(run(x), right, rtol=1e-4):
                wrong.append((number, n))
            calls[number] += 1

    threads = [threading.Thread(target=serve, args=(n,)) for n in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    assert calls == [6] * 8 and not wrong, (calls, wrong)
    assert len(double.rows) == 1
    """)


OTHERS = {
    "OpenBLAS": """
    a = np.random.default_rng(1).random((200, 200))
    other = lambda: a @ a
    """,
    "torch": """
    import torch
    torch.set_num_threads(2)
    a = torch.rand(300, 300)
    other = lambda: torch.mm(a, a).exp().numpy()
    """,
}


@several
@pytest.mark.parametrize("name", ["OpenBLAS", pytest.param("torch", marks=pytest.mark.long)])
def test_beside_the_threads_of_others_both_get_on(name):
    """Each until the other has done its calls: neither waits for the other."""
    if name == "torch":
        pytest.importorskip("torch")
    run(
        f"""
    exp = shared("exp(f32[256,512])")
    {OTHERS[name].strip()}
    done, wrong, both = {{"own": 0, "other": 0}}, [], threading.Barrier(2)

    def turns(which, call):
        right = call()
        both.wait()
        while min(done.values()) < 15:
            if not np.allclose(call(), right, rtol=1e-4):
                wrong.append(which)
            done[which] += 1

    threads = [threading.Thread(target=turns, args=each) for each in (("own", lambda: exp(x)), ("other", other))]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    assert not wrong, wrong
    for _ in range(30):  # and by turns in one thread
        other(), exp(x)
    """,
        threads=2,
    )


@gt.jit(target="portable", table="none", threads=2)
def scaled(a):
    return np.exp(a) * 2


def plain(a):
    return a + 1


@several
@pytest.mark.parametrize("method", ["fork", "spawn", pytest.param("forkserver", marks=pytest.mark.long)])
def test_other_processes_call_what_was_called_here(method):
    """What this process has called with two threads, before: kernels and jitted functions."""
    a = np.random.default_rng(0).random((64, 512), np.float32)
    kernel = gt.synthesize("exp(f32[64,512])", target="portable", threads=2, table="none").compile()
    weights = np.ones((512, 3), np.float32)
    model = gt.compile(gt.graph(lambda a: np.exp(a) @ weights, a), target="portable", threads=2, table="none")
    wanted = [each(a) for each in (kernel, model, scaled)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        for each, right in zip((kernel, model, scaled), wanted):
            assert all(np.array_equal(found, right) for found in pool.map(each, [a, a]))


def test_jitted_functions_pickle_by_name_or_by_the_plain_one():
    assert pickle.loads(pickle.dumps(scaled)) is scaled
    options = {"target": "portable", "threads": 1, "table": "none"}
    found = pickle.loads(pickle.dumps(gt.jit(measure=True, **options)(plain)))
    assert found.function is plain and found.measure and found.options.items() >= options.items()
    assert found(np.ones(2, "f4")).tolist() == [2, 2]
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(gt.jit(lambda a: a))


def test_a_child_of_a_fork_traces_while_the_parent_does():
    run("""
    inside, go_on = threading.Event(), threading.Event()

    def function(x):
        if threading.current_thread() is not threading.main_thread():
            inside.set()
            go_on.wait()
        return x + 1

    jitted = gt.jit(target="portable", table="none")(function)
    thread = threading.Thread(target=jitted, args=(x,))
    thread.start()
    inside.wait()
    if (child := os.fork()) == 0:
        signal.alarm(100)
        os._exit(not (jitted(x) == x + 1).all())
    assert os.waitpid(child, 0)[1] == 0
    go_on.set()
    thread.join()
    """)


@several
def test_a_limit_for_the_process():
    run("""
    exp, before = shared("exp(f32[256,512])"), helpers()
    expected, cpus = exp(x), gt.get_num_threads()
    made = helpers() - before
    assert len(made) == 1 and cpus > 1

    def worked():
        (one,) = made
        return int(open(f"/proc/self/task/{one}/schedstat").read().split()[0])

    gt.set_num_threads(1)
    assert gt.get_num_threads() == 1
    exp(x)  # the helper may have been awake still
    while open(f"/proc/self/task/{list(made)[0]}/stat").read().rsplit(")")[1].split()[0] != "S":
        pass
    at = worked()
    for _ in range(20):
        assert (exp(x) == expected).all()
    assert worked() == at
    gt.set_num_threads(None)
    assert gt.get_num_threads() == cpus
    while worked() == at:
        exp(x)
    for wrong in (0, -1, 1.5, True, "2"):
        try:
            gt.set_num_threads(wrong)
        except gt.SpecError as error:
            assert repr(wrong) in str(error)
        else:
            raise AssertionError(wrong)
    """)


@several
def test_threadpoolctl_sees_and_sets_the_limit():
    pytest.importorskip("threadpoolctl", minversion="3.2")
    run("""
    exp = shared("exp(f32[256,512])")
    from threadpoolctl import threadpool_info, threadpool_limits
    cpus = gt.get_num_threads()

    def told():
        return [each["num_threads"] for each in threadpool_info() if each["internal_api"] == "griotte"]

    assert told() == [cpus]
    with threadpool_limits(limits=1):
        assert told() == [1] and gt.get_num_threads() == 1
        exp(x)
    assert told() == [cpus]
    with threadpool_limits(limits=1, user_api="blas"):
        assert told() == [cpus]
    with threadpool_limits(limits=1, user_api="griotte"):
        assert told() == [1]
    """)


@several
def test_threads_that_end_leave_nothing():
    run("""
    exp, before = shared("exp(f32[256,512])"), helpers()
    expected, wrong = exp(x), []
    for _ in range(50):
        thread = threading.Thread(target=lambda: (exp(x) == expected).all() or wrong.append(1))
        thread.start()
        thread.join()
    while len(helpers() - before) > 1:  # the system takes the last one away
        pass
    assert not wrong and (exp(x) == expected).all()
    """)


TERMINATED = "os.kill(os.getpid(), signal.SIGTERM)"


@several
@pytest.mark.parametrize(
    "ends",
    ["sys.exit()", *(pytest.param(ends, marks=pytest.mark.long) for ends in ("", "raise SystemExit", TERMINATED))],
)
def test_a_process_ends_while_calls_run(ends):
    """Of daemon threads; also after a handler that calls as the interpreter goes."""
    run(f"""
    import atexit
    exp = shared("exp(f32[256,512])")
    expected, begun = exp(x), threading.Semaphore(0)
    atexit.register(lambda: exp(x))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())

    def calls():
        while True:
            exp(x)
            begun.release()

    for _ in range(3):
        threading.Thread(target=calls, daemon=True).start()
    for _ in range(30):
        begun.acquire()
    {ends}
    """)


@several
def test_signals_during_calls():
    """A handler of Python runs between calls, and may call; those of the timer come into the middle of them."""
    run("""
    exp = shared("exp(f32[256,512])")
    expected, came, wrong = exp(x), 0, 0

    def handler(*_):
        global came, wrong
        came += 1
        wrong += not (exp(x) == expected).all()

    signal.signal(signal.SIGVTALRM, handler)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.002, 0.002)
    while came < 40:
        wrong += not (exp(x) == expected).all()
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    assert not wrong
    """)


@several
def test_an_interrupt_during_a_call():
    run("""
    exp, caught = shared("exp(f32[256,512])"), 0
    expected = exp(x)
    signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    while caught < 20:
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.003)
            while True:
                exp(x)
        except KeyboardInterrupt:
            caught += 1
    assert (exp(x) == expected).all()
    """)

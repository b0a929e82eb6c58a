"""Where copies live: small buffers on the stack, larger ones in the thread, asked for once where a function or a thread begins."""

import griotte as gt
from griotte.codegen.scratch import STACK, ScratchPool


def test_small_buffers_are_on_the_stack_and_what_does_not_fit_beside_them_is_the_threads():
    pool = ScratchPool()
    lines = [f"float *const {name} = {pool.take('float', name, elements, 4)};" for name, elements in (("large", STACK), ("small", 100), ("middle", STACK // 4 - 100))]
    found = pool.opened(lines)
    assert found[:3] == [
        "float small_own[100] __attribute__((aligned(64)));",
        f"float middle_own[{STACK // 4 - 100}] __attribute__((aligned(64)));",
        "float *const large_own = large_thread;",
    ]
    assert found[3:] == ["float *const large = large_own;", "float *const small = small_own;", "float *const middle = middle_own;"]
    assert [str(b) for b in pool.thread_local(["\n".join(found)])] == [f"static _Thread_local float large_thread[{STACK}] __attribute__((aligned(64)));"]


def test_a_thread_has_its_own():
    """What a loop over threads has declared for its body is not declared around it again."""
    pool = ScratchPool()
    inner = pool.opened([f"float *const b = {pool.take('float', 'b', STACK, 4)};"])
    assert pool.opened(["for (;;) {", *inner, "}"]) == ["for (;;) {", *inner, "}"]


def test_no_loop_asks_where_thread_local_scratch_is():
    source = gt.synthesize("matmul(f32[300,4096], f32[4096,300])", target="avx512", table="none").to_c()
    asked = [line for line in source.splitlines() if "_thread;" in line]
    assert asked and all(line.startswith("    float *const") for line in asked)

"""Where copies live: small buffers on the stack, larger ones in the thread, asked for once where a function or a thread
begins."""

from contextlib import ExitStack

import griotte as gt
from griotte.codegen.scratch import STACK, ScratchPool


def test_small_buffers_are_on_the_stack_and_what_does_not_fit_beside_them_is_the_threads():
    pool = ScratchPool()
    with ExitStack() as held:
        lines = [
            f"float *const {name} = {held.enter_context(pool.room('float', name, elements, 4))};"
            for name, elements in (("large", STACK), ("small", 100), ("middle", STACK // 4 - 100))
        ]
    found = pool.opened(lines)
    assert found[:4] == [
        "float small_own[100] __attribute__((aligned(64)));",
        f"float middle_own[{STACK // 4 - 100}] __attribute__((aligned(64)));",
        "float *large_own = large_thread;",
        '__asm__ volatile("" : "+r"(large_own));',
    ]
    assert found[4:] == [
        "float *const large = large_own;",
        "float *const small = small_own;",
        "float *const middle = middle_own;",
    ]
    assert [str(b) for b in pool.thread_local(["\n".join(found)])] == [
        f"static _Thread_local float large_thread[{STACK}] __attribute__((aligned(64)));"
    ]


def test_a_thread_has_its_own():
    """What a loop over threads has declared for its body is not declared around it again."""
    pool = ScratchPool()
    with pool.room("float", "b", STACK, 4) as place:
        inner = pool.opened([f"float *const b = {place};"])
    assert pool.opened(["for (;;) {", *inner, "}"]) == ["for (;;) {", *inner, "}"]


def test_what_is_done_with_is_taken_again_by_what_fits_best():
    pool = ScratchPool()
    with (
        pool.room("float", "a", 100, 4) as a,
        pool.room("float", "b", 50, 4) as b,
        pool.room("int32_t", "c", 40, 4) as c,
    ):
        assert (a, b, c) == ("a_scratch", "b_scratch", "c_scratch")
    with pool.room("float", "d", 40, 4) as d, pool.room("float", "e", 200, 4) as e, pool.room("float", "f", 1, 4) as f:
        assert (d, e, f) == ("b_scratch", "a_scratch", "f_scratch")
    assert [(x.name, x.elements) for x in pool.buffers] == [("a", 200), ("b", 50), ("c", 40), ("f", 1)]


def test_a_dynamic_size_takes_no_buffer_from_around_it_and_leaves_none():
    pool = ScratchPool()
    with pool.room("float", "before", 10, 4):
        pass
    with pool.apart():
        with pool.room("float", "one", 10, 4) as one:
            pass
        with pool.room("float", "another", 10, 4) as another:
            pass
    with pool.room("float", "after", 10, 4) as after:
        assert (one, another, after) == ("one_scratch", "one_scratch", "before_scratch")


def test_the_first_blocks_copy_lies_where_the_later_ones_do():
    source = gt.synthesize("matmul(f32[13,512], f32[512,512])", target="avx2", table="none").to_c()
    assert source.count("static _Thread_local") <= 1


def test_no_loop_asks_where_thread_local_scratch_is():
    source = gt.synthesize("matmul(f32[1024,1024], f32[1024,1024])", target="avx512", table="none").to_c()
    asked = [line for line in source.splitlines() if "_thread;" in line]
    assert asked and all(line.startswith("    float *") for line in asked)


def test_nothing_is_known_of_the_pointer_but_its_value():
    """Or gcc asks again in the loops of a leaf that is called with no other: all accumulators were kept on the stack at
    each of its steps."""
    lines = gt.synthesize("conv2d(f32[1,66,27,27], f32[16,66,3,3])", target="avx512", table="none").to_c().splitlines()
    asked = [number for number, line in enumerate(lines) if line.endswith("_thread;")]
    assert asked and all(
        lines[number + 1].strip() == f'__asm__ volatile("" : "+r"({lines[number].split()[1].lstrip("*")}));'
        for number in asked
    )

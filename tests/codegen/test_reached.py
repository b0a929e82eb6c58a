"""The part of a unit that a function reaches."""

from griotte.codegen.reached import reached

SOURCE = """\
/*
 * a title
 */
#include <arm_neon.h>
#include <stdint.h>
typedef float f32x4 __attribute__((vector_size(16)));
struct run_1 {
    float *y;
};

static inline __attribute__((always_inline, unused)) f32x4 load_f32x4(const float *p)
{
    return *(const f32x4 *)p;
}

static void pack_x1(const float *x1, void *packed_x1);
static void pack_x2(const float *x2, void *packed_x2);

static void leaf_0(float *y)
{
    y[0] = vgetq_lane_f32(load_f32x4(y), 0);
}

static void pack_x1(const float *x1, void *packed_x1)
{
    *(f32x4 *)packed_x1 = load_f32x4(x1);
}

static void pack_x2(const float *x2, void *packed_x2)
{
    leaf_0(packed_x2);
}

void f_pack(int64_t constant, const void *data, void *weights)
{
    pack_x1(data, weights);
}

void f(const float *x, float *y)
{
    leaf_0(y);
}
"""


def test_functions_that_are_not_reached_are_left_out_with_their_prototypes_and_intrinsics():
    found = reached(SOURCE, "f_pack")
    for kept in ("typedef float", "struct run_1 {\n    float *y;\n};", "stdint", "load_f32x4(const", "pack_x1(const"):
        assert kept in found
    for left_out in ("arm_neon", "vgetq", "leaf_0", "pack_x2", "void f("):
        assert left_out not in found
    assert found.count("static void pack_x1(") == 2  # its prototype, and it


def test_what_a_function_reaches_is_as_it_was():
    found = reached(SOURCE, "f")
    for text in SOURCE.split("\n\n"):
        head = text.split("\n", 1)[0]
        assert (text.rstrip() in found) == head.startswith(("static inline", "static void leaf_0", "void f(")), head

"""Arguments of kernels: arrays of every kind, numbers for those of rank 0, and what is refused."""

import functools
import math

import griotte as gt
import ml_dtypes
import numpy as np
import pytest
from griotte.lang.types.dtypes import DTYPES, as_scalar
from griotte.runtime.arguments import allocator, pointer_taker
from griotte.runtime.kernel import Kernel
from griotte.runtime.saved import Library
from griotte.runtime.signature import Packing, Signature, TensorArg
from griotte.runtime.toolchain import compile_shared
from griotte.support.errors import SpecError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SIZES = sorted({a * b * c * d for a in (1, 2, 3) for b in (1, 2, 3) for c in (1, 2, 3)
                for d in (1, 2, 4, 8)})  # fmt: skip
COPIES = "#include <string.h>\n" + "".join(
    f"void copy_{n}(const void *x, void *y) {{ memcpy(y, x, {n}); }}\n" for n in SIZES
)


@st.composite
def tensor_args(draw):
    shape = tuple(draw(st.lists(st.sampled_from((1, 2, 3)), max_size=3)))
    order = tuple(draw(st.permutations(range(len(shape)))))
    return TensorArg("x", draw(st.sampled_from(sorted(DTYPES))), shape, order)


def copy_kernel(arg):
    """The kernel that copies the memory of `arg`."""
    function = f"copy_{arg.nbytes}"
    return Kernel(Library(COPIES, "", Signature(function, (arg,), arg), compile_shared(COPIES), frozenset(), {}))


def laid_out(arg, seed=0):
    """Random values in the layout of `arg`: rows of memory, then axes put in their places."""
    rows = [arg.shape[axis] for axis in reversed(arg.minor_to_major)]
    bits = np.random.default_rng(seed).integers(0, 2, (*rows,)).astype(DTYPES[arg.dtype].numpy)
    return np.moveaxis(bits, range(bits.ndim), arg.minor_to_major[::-1])


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arg=tensor_args())
def test_every_dtype_and_layout_goes_in_and_comes_out(arg):
    kernel = copy_kernel(arg)
    x = laid_out(arg)
    y = kernel(x)
    assert y.dtype == x.dtype and y.shape == x.shape
    assert (y == x).all()
    assert not np.shares_memory(x, y)
    for axis, size in enumerate(arg.shape):
        assert size == 1 or y.strides[axis] == x.strides[axis]
    out = np.zeros_like(x)
    assert kernel(x, out=out) is out
    assert (out == x).all()


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arg=tensor_args(), order=st.permutations(range(3)))
def test_another_layout_is_refused_and_the_mend_in_the_message_works(arg, order):
    order = tuple(axis for axis in order if axis < len(arg.shape))
    other = TensorArg("x", arg.dtype, arg.shape, order)
    x = laid_out(other)
    take = pointer_taker(arg, "input 1")
    strided = {axis for axis, size in enumerate(arg.shape) if size > 1}
    same = [a for a in arg.minor_to_major if a in strided] == [a for a in other.minor_to_major if a in strided]
    if same:
        take(x)
        return
    with pytest.raises(SpecError, match="expected .* found strides .* pass numpy") as caught:
        take(x)
    mend = str(caught.value).split("; pass ")[1]
    mended = eval(mend, {"numpy": np, "x": x})  # the message of this very test
    take(mended)
    assert (mended == x).all()


@pytest.fixture
def refusal(make_kernel):
    """The message for a value passed where f32[2,3] is expected."""
    take = pointer_taker(TensorArg("x", "f32", (2, 3), (1, 0)), "input 1 (x) of f")

    def message(value):
        with pytest.raises(SpecError) as caught:
            take(value)
        assert isinstance(caught.value, ValueError)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return message


def test_a_wrong_shape_is_refused(refusal):
    assert (
        refusal(np.zeros((3, 2), "f4"))
        == "expected shape (2, 3), found (3, 2), for input 1 (x) of f; pass an array of that shape, "
        "or compile the Spec for the shape at hand"
    )
    assert "found (6,)" in refusal(np.zeros(6, "f4"))
    assert "found ()" in refusal(np.float32(1))


def test_a_wrong_dtype_is_refused(refusal):
    assert (
        refusal(np.zeros((2, 3)))
        == "expected dtype f32 (numpy.float32), found float64, for input 1 (x) of f; pass x.astype(numpy.float32)"
    )
    assert "found >f4" in refusal(np.zeros((2, 3), ">f4"))
    assert "found bfloat16" in refusal(np.zeros((2, 3), ml_dtypes.bfloat16))
    assert "found object" in refusal(np.empty((2, 3), object))


def test_the_mend_for_bfloat16_names_its_package():
    take = pointer_taker(TensorArg("x", "bf16", (2,), (0,)), "input 1")
    with pytest.raises(SpecError, match=r"pass x.astype\(ml_dtypes.bfloat16\)"):
        take(np.zeros(2, np.uint16))


@pytest.mark.parametrize(
    "strided",
    [
        np.zeros((2, 6), "f4")[:, ::2],
        np.zeros((2, 3), "f4")[::-1],
        np.zeros((4, 3), "f4")[::2],
        np.broadcast_to(np.float32(1), (2, 3)),
        np.zeros((3, 2), "f4").T,
    ],
    ids=["every other", "backwards", "with gaps", "broadcast", "transposed"],
)
def test_other_strides_are_refused(refusal, strided):
    assert f"found strides {strided.strides}" in refusal(strided)
    assert "pass numpy.ascontiguousarray(x)" in refusal(strided)


def test_elements_off_their_alignment_are_refused(refusal):
    x = np.zeros(25, np.uint8)[1:].view("f4").reshape(2, 3)
    assert "aligned to 4 bytes" in refusal(x)
    assert "pass x.copy()" in refusal(x)


@pytest.mark.parametrize("value", [None, 3.0, [[1.0, 2, 3], [4, 5, 6]], "text", object()])
def test_what_is_no_array_is_refused(refusal, value):
    message = refusal(value)
    assert f"found {type(value).__name__}" in message
    assert "pass numpy.asarray(x, dtype=numpy.float32)" in message


class OnlyDlpack:
    """An array as another library would hand it over."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Refusing(OnlyDlpack):
    def __dlpack__(self, **options):
        raise BufferError("it needs its gradient")


def test_dlpack_is_taken_without_a_copy():
    arg = TensorArg("x", "f32", (2, 3), (0, 1))
    x = laid_out(arg)
    kernel = copy_kernel(arg)
    assert (kernel(OnlyDlpack(x)) == x).all()
    out = OnlyDlpack(np.zeros_like(x))
    assert kernel(x, out=out) is out
    assert (out.array == x).all()


def test_dlpack_is_checked_like_any_array(refusal):
    assert "found (3,)" in refusal(OnlyDlpack(np.zeros(3, "f4")))
    assert "Refusing (it needs its gradient)" in refusal(Refusing(np.zeros((2, 3), "f4")))


def test_the_buffer_protocol_is_taken():
    kernel = copy_kernel(TensorArg("x", "u8", (3,), (0,)))
    assert kernel(b"abc").tobytes() == b"abc"
    out = bytearray(3)
    assert kernel(memoryview(b"xyz"), out=out) is out
    assert out == b"xyz"


def test_subclasses_of_ndarray_are_taken(tmp_path):
    x = np.memmap(tmp_path / "x", "f4", "w+", shape=(2, 3))
    x[:] = 5
    kernel = copy_kernel(TensorArg("x", "f32", (2, 3), (1, 0)))
    assert (kernel(x) == 5).all()
    masked = np.ma.masked_array(np.ones((2, 3), "f4"))
    assert type(kernel(masked)) is np.ndarray
    masked[0, 0] = np.ma.masked
    with pytest.raises(SpecError, match="expected an array without a mask, found MaskedArray"):
        kernel(masked)


def test_read_only_inputs_are_fine():
    x = np.ones((2, 3), "f4")
    x.flags.writeable = False
    assert (copy_kernel(TensorArg("x", "f32", (2, 3), (1, 0)))(x) == 1).all()


@pytest.mark.parametrize(
    "words",
    [
        {"dtype": "float"},
        {"shape": (2, -1)},
        {"shape": (2, True)},
        {"shape": (2.0, 3)},
        {"shape": (2, 2**63)},
        {"minor_to_major": (0,)},
        {"minor_to_major": (1, 1)},
    ],
)
def test_an_argument_that_makes_no_sense_is_refused(words):
    good = {"name": "x", "dtype": "f32", "shape": (2, 3), "minor_to_major": (1, 0)}
    with pytest.raises(SpecError, match="expected .* found .* for x"):
        TensorArg(**{**good, **words})


@pytest.mark.parametrize("name", ["", "1x", "f; int g", "f\n", None])
def test_a_function_has_the_name_of_a_function(name):
    with pytest.raises(SpecError, match="expected the name of a C function"):
        Signature(name, (), TensorArg("y", "f32", (), ()))
    with pytest.raises(SpecError, match="expected the name of a C function"):
        Packing(name, 4)


def test_an_argument_reads_as_in_a_spec():
    assert str(TensorArg("x", "bf16", (1, 8), (1, 0))) == "bf16[1,8]"
    assert str(TensorArg("x", "bf16", (4, 8), (0, 1))) == "bf16[4,8]{0,1}"
    assert TensorArg("x", "s4", (4, 8), (0, 1)).nbytes == math.prod((4, 8))


@pytest.mark.parametrize("order", [(1, 0), (0, 1)])
@pytest.mark.parametrize("rows", [1, 31, 64, 1001])
def test_fresh_outputs_from_a_page_on_begin_on_a_cache_line(rows, order):
    array, _ = allocator(TensorArg("y", "f32", (rows, 33), order))()
    assert array.shape == (rows, 33) and array.dtype == np.float32
    assert (array if order == (1, 0) else array.T).flags.c_contiguous
    array[...] = 1
    assert array.nbytes < 4096 or array.ctypes.data % 64 == 0


# Inputs and results of rank 0 --------------------------------------------------------------


SCALED = "add(mul(f32[4], f32[]), bf16[])"
X = np.array([1, 2, 3, 4], np.float32)


@functools.cache
def kernel_of(text):
    return gt.compile(text, "portable", table="none")


def doors(text):
    """A kernel, and the reference."""
    return kernel_of(text), lambda *arrays: gt.interpret(text, *arrays)


@pytest.mark.parametrize("door", [0, 1])
@pytest.mark.parametrize("two", [2, 2.0, np.float32(2), np.float64(2), np.int8(2), np.float16(2),
                                 ml_dtypes.bfloat16(2), np.array(2, np.float32)])  # fmt: skip
@pytest.mark.parametrize("half", [0.5, np.float64(0.5), ml_dtypes.bfloat16(0.5), np.array(0.5, ml_dtypes.bfloat16)])
def test_numbers_of_every_kind_are_taken(door, two, half):
    assert (doors(SCALED)[door](X, two, half) == 2 * X + 0.5).all()


@pytest.mark.parametrize("door", [0, 1])
@pytest.mark.parametrize("wrong, message", [
    (1e300, r"expected a number that f32 holds, found 1e\+300, for input"),
    (10**400, "expected a number that f32 holds, found 1000"),
    ("1", "found str"),
    (1j, "found complex"),
    (np.array(2.0), "expected dtype f32"),
    (np.array([2], np.float32), "expected shape"),
])  # fmt: skip
def test_what_is_no_such_number_is_refused(door, wrong, message):
    with pytest.raises(SpecError, match=message) as caught:
        doors(SCALED)[door](X, wrong, 0)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("door", [0, 1])
@pytest.mark.parametrize("wrong", [300, 3.5, np.int16(-129), np.float32(1)])
def test_integers_take_whole_numbers_of_their_range(door, wrong):
    with pytest.raises(SpecError, match="expected a number that s8 holds"):
        doors("mul(s8[], s8[])")[door](wrong, 1)
    assert doors("mul(s8[], s8[])")[door](-128, True) == -128


@pytest.mark.parametrize("name", DTYPES)
def test_a_scalar_of_any_dtype_is_itself(name):
    one = np.ones((), DTYPES[name].numpy)
    for number in (one[()], 1, True):
        found = as_scalar(number, name, "x")
        assert found.dtype == one.dtype and found.shape == () and found == one


def test_numbers_are_rounded_once():
    """To bf16 by way of f32 this is 1, half way between two, to even; at once it is the number above."""
    assert as_scalar(1 + 2**-8 + 2**-40, "bf16", "x") == ml_dtypes.bfloat16(1 + 2**-7)
    assert np.isinf(as_scalar(float("inf"), "f16", "x")) and np.isnan(as_scalar(float("nan"), "f16", "x"))


@pytest.mark.parametrize(
    "text, arrays", [("sum(f32[4])", (X,)), ("exp(f32[])", (0,)), ("mul(exp(f32[]), max(f32[4]))", (0, X))]
)
def test_results_of_rank_0_are_arrays(text, arrays):
    for door in doors(text):
        found = door(*arrays)
        assert type(found) is np.ndarray and found.shape == () and found.dtype == np.float32
    out = np.empty((), np.float32)
    assert kernel_of(text)(*arrays, out=out) is out and out == found
    with pytest.raises(SpecError, match="found float"):
        kernel_of(text)(*arrays, out=1.0)


def test_bound_and_dynamic_kernels_take_numbers():
    kernel, out = kernel_of(SCALED), np.empty(4, np.float32)
    assert (kernel.bind(None, 2, 0.5)(X) == 2 * X + 0.5).all()
    assert (kernel.bind(X, 2, 0.5, out=out)() == 2 * X + 0.5).all()
    many = np.empty((3, 4), np.float32)
    kernel.bind_many(X, [1, 2.0, np.float32(3)], 0.5, out=many)()
    assert (many == np.array([[1], [2], [3]]) * X + 0.5).all()
    dynamic = kernel_of("mul(f32[<=8,4], f32[])")
    for n in (0, 1, 5):
        rows = np.ones((n, 4), np.float32)
        assert (dynamic(rows, 3) == 3 * rows).all() and (dynamic.bind(None, 3)(rows) == 3 * rows).all()
        assert (gt.interpret("mul(f32[<=8,4], f32[])", rows, 3) == 3 * rows).all()

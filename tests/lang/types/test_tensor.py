import numpy as np
import pytest
from griotte.lang.types.tensor import tensor
from griotte.support.errors import SpecError


def test_strides_follow_the_layout():
    assert tensor((2, 3, 4)).strides() == (12, 4, 1)
    assert tensor((2, 3, 4), layout=(0, 2, 1)).strides() == (1, 8, 2)
    assert tensor(()).strides() == ()


def test_whole_numbers_of_numpy_are_ints():
    found = tensor((np.int64(8), 4), layout=np.argsort([3, 2]))
    assert repr(found) == repr(tensor((8, 4), layout=(1, 0)))


def test_text():
    assert str(tensor((8, 4), "bf16", layout=(0, 1), constant=True)) == "const bf16[8,4]{0,1}"
    assert str(tensor((), "s32")) == "s32[]"


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: tensor((8, 0)), r"integers of 1 or more, found \[8, 0\]"),
        (lambda: tensor((1 << 31, 1 << 30)), r"fewer than 2\^63 bytes, found f32\[2147483648, 1073741824\]"),
        (lambda: tensor(8), "sequence of sizes, found 8"),
        (lambda: tensor((8,), "f31"), "expected a dtype .* found 'f31'"),
        (lambda: tensor((8, 3.5)), r"expected sizes like 8, or '<=8' .*, found \[8, 3.5\]"),
        (lambda: tensor((8,), ["f32"]), r"expected a dtype .* found \['f32'\]"),
        (lambda: tensor((8,), float), "expected a dtype .* found float"),
        (lambda: tensor((8,), np.complex64), "expected a dtype .* found complex64"),
        (lambda: tensor((8,), np.dtype(">f4")), "expected a dtype .* found >f4"),
        (lambda: tensor((8,), "i4"), "expected a dtype .* found 'i4'"),  # u4 is of 4 bits, NumPy's of 32
        (
            lambda: tensor((8, 4), layout=1),
            r"layout as a sequence of axes, minor to major, found 1; write one like \(1, 0\)",
        ),
        (lambda: tensor((8, 4), layout=(None, 1)), r"layout as a sequence of axes, minor to major, found \(None, 1\)"),
        (lambda: tensor((8, 4), layout=(1, 1)), r"axes 0..1 once each, found \{1,1\}"),
    ],
)
def test_bad_types(make, message):
    with pytest.raises(SpecError, match=message):
        make()

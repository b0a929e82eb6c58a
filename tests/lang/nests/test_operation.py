from griotte.lang.nests.access import Access
from griotte.lang.nests.operation import Operation
from griotte.lang.types.expr import Arg


def test_access_text_round_trips():
    for text in ("m k", "n c h*2+i w+j*3", "1 k", ""):
        assert str(Access.of(text)) == text


def test_an_axis_that_nothing_moves_has_one_element():
    access = Access.of("1 k")
    assert access.shape({"k": 7}) == (1, 7)
    assert access.dims == {"k"}


def test_a_window_spans_its_strides():
    assert Access.of("h*2+i").shape({"h": 5, "i": 3}) == (11,)
    assert not Access.of("h*2+i").is_plain(0)


def test_a_dimension_missing_from_the_output_is_a_reduction():
    nest = Operation.of("sum", "m n", ("m n",), "m", Arg(0), "add")
    assert (nest.parallel, nest.reduction) == (("m",), ("n",))

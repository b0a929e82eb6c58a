"""What of an object goes into a pickle; how it is spelled."""

import pickle
from dataclasses import dataclass, field

from griotte.lang.nests.family import Layout, Operand, Vector
from griotte.lang.types.fields import Fields


@dataclass(frozen=True)
class Plain:
    """As a dataclass spells itself."""

    name: str
    parts: tuple
    hidden: int = field(default=0, repr=False)


@dataclass(frozen=True, repr=False)
class Kept(Fields):
    name: str
    parts: tuple
    hidden: int = field(default=0, repr=False)


def test_it_is_spelled_as_a_dataclass_is_and_once():
    for values in (("x", ()), ("it's", (1, None, "a"), 3)):
        kept = Kept(*values)
        assert repr(kept) == repr(Plain(*values)).replace("Plain", "Kept")
        assert repr(kept) is repr(kept)


def test_an_operand_is_spelled_as_keys_of_tables_have_it():
    operand = Operand("f32", 2, Layout((1, 0), given=True), Vector("m", 8))
    assert repr(operand) == (
        "Operand(dtype='f32', level=2, layout=Layout(order=(1, 0), given=True, alias=0, drift=0, far=False,"
        " apart=False, split=False, uncached=False, row=0, panel=None, group=None, beyond=(), fill=0.0),"
        " vector=Vector(dim='m', lanes=8))"
    )


def test_what_was_worked_out_stays_out_of_a_pickle():
    operand = Operand("f32", 2, Layout((1, 0)))
    size = len(pickle.dumps(operand))
    assert repr(operand) and hash(operand) and len(pickle.dumps(operand)) == size
    assert pickle.loads(pickle.dumps(operand)) == operand

"""The parts that have a price and a C of their own: each kind a row, declared in its own file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..ir.tensor import TensorType
from .arrays.program import WrittenAsTheyAre
from .concatenated import CopiedByRows
from .graph import ModelValue
from .looped import Loops
from .parts import ModelPart
from .picked import PickedByRows
from .pooled import PooledByRows
from .recipe import Making, Offer, Recipe
from .value import ValueMaker
from .winograd.recipe import FilteredByWinograd

RECIPES: tuple[Recipe, ...] = (
    Loops(),
    WrittenAsTheyAre(),
    CopiedByRows(),
    PickedByRows(),
    PooledByRows(),
    FilteredByWinograd(),
)


def recipe_of(maker: ValueMaker) -> Recipe:
    """That of a ValueMaker."""
    return next(each for each in RECIPES if each.maker is not None and isinstance(maker, each.maker))


def serving(types: Iterable[TensorType]) -> tuple[Recipe, ...]:
    """Those that may serve arrays of these types: of a dynamic size the ones that say so. What is written by hand has
    else the sizes of the bound in its C, and would touch what lies beyond those of a call."""
    is_open = any(type.dynamic_axes for type in types)
    return tuple(each for each in RECIPES if each.takes_open or not is_open)


def is_alone(value: ModelValue) -> bool:
    """Whether a call of the language is in no part with others, for a recipe is quicker than to be one with them."""
    return not value.is_made and any(each.stands_alone(value) for each in serving(_types(value)))


def continues(value: ModelValue, before: ModelValue) -> bool:
    """Whether two calls that are in no part with others are one with each other."""
    return any(each.continues(value, before) for each in serving((*_types(value), *_types(before))))


def offers(part: ModelPart, making: Making) -> list[Offer]:
    """What recipes make of a part."""
    found = (each.offer(part, making) for each in serving((*part.spec.inputs, *part.spec.outputs)))
    return [offer for offer in found if offer is not None]


def _types(value: ModelValue) -> Iterator[TensorType]:
    return (each.type for each in (value, *value.values))

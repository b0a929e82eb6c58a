"""The parts that have a price and a C of their own: each kind a row, declared in its own file."""

from __future__ import annotations

from .arrays.program import WrittenAsTheyAre
from .concatenated import CopiedByRows
from .graph import ModelValue
from .looped import Loops
from .picked import PickedByRows
from .pooled import PooledByRows
from .recipe import Recipe
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


def is_alone(value: ModelValue) -> bool:
    """Whether a call of the language is in no part with others, for a recipe is quicker than to be one with them."""
    return not value.is_made and any(each.stands_alone(value) for each in RECIPES)


def continues(value: ModelValue, before: ModelValue) -> bool:
    """Whether two calls that are in no part with others are one with each other."""
    return any(each.continues(value, before) for each in RECIPES)

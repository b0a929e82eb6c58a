"""All custom kernels: each is declared in its own file."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from ...lang.types.tensor import TensorType
from ..graph import ModelValue
from ..looped import Loops
from ..parts import ModelPart
from ..value import OpaqueOp
from .concatenated import CopiedByRows
from .kernel import CustomKernel, Implementation, Making
from .picked import PickedByRows
from .pooled import PooledByRows
from .stages import WrittenAsTheyAre
from .winograd.program import FilteredByWinograd

CUSTOM_KERNELS: tuple[CustomKernel, ...] = (
    Loops(),
    WrittenAsTheyAre(),
    CopiedByRows(),
    PickedByRows(),
    PooledByRows(),
    FilteredByWinograd(),
)


def kernel_of(opaque: OpaqueOp) -> CustomKernel:
    """The custom kernel of an OpaqueOp."""
    return next(each for each in CUSTOM_KERNELS if each.opaque is not None and isinstance(opaque, each.opaque))


def serving(types: Iterable[TensorType]) -> tuple[CustomKernel, ...]:
    """The custom kernels for arrays of these types. With a dynamic size only those that take one: the C of the others
    has the sizes of the bound, and would touch memory beyond those of a call."""
    is_open = any(type.dynamic_axes for type in types)
    return tuple(each for each in CUSTOM_KERNELS if each.takes_open or not is_open)


def is_alone(value: ModelValue) -> bool:
    """Whether a call is a fusion group of its own, because its custom kernel is quicker than any fusion."""
    return not value.is_made and any(each.stands_alone(value) for each in serving(_types(value)))


def alike(value: ModelValue) -> tuple[ModelValue, ...]:
    """What a call that stands alone reads and gives in one layout, or it has no program; nothing where there is no such
    bound."""
    standing = (each for each in serving(_types(value)) if each.stands_alone(value)) if not value.is_made else ()
    return next((each.alike(value) for each in standing), ())


def continues(value: ModelValue, before: ModelValue) -> bool:
    """Whether two calls that stand alone are one part."""
    return any(each.continues(value, before) for each in serving((*_types(value), *_types(before))))


def implementations(part: ModelPart, making: Making, beside: bool = True) -> list[Implementation]:
    """The custom kernels' ways to compute a part; those `beside` its search where they are asked for."""
    kernels = (each for each in serving((*part.spec.inputs, *part.spec.outputs)) if beside or not each.is_beside)
    found = (each.implementation(part, making) for each in kernels)
    return [each for each in found if each is not None]


def followed(part: ModelPart) -> tuple[Hashable, ...]:
    """The known data, beside a part's Spec, on which its implementations depend."""
    return tuple(each.follows(part) for each in CUSTOM_KERNELS)


def share(calls: Sequence[ModelValue]) -> float:
    """The least share of these calls' arithmetic that a custom kernel leaves."""
    return min(each.share(calls) for each in CUSTOM_KERNELS)


def _types(value: ModelValue) -> Iterator[TensorType]:
    return (each.type for each in (value, *value.values))

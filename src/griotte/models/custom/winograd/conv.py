"""Which parts of a model Winograd's filtering computes: a convolution of f32 whose windows are square, next to each
other and over all channels, with the maps behind it. It works on images with channels last: others are copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....lang.calls.spec import Spec
from ....lang.constructors.windows import Windows, convolved
from ....lang.types.expr import Arg, Expr, substitute
from ....lang.types.tensor import TensorType, tensor
from ...graph import ModelValue, applied
from ...layouts import CHANNELS_LAST
from ...parts import ModelPart

ONE, CHANNEL, WHOLE = "one", "channel", "whole"
"""What a map reads beside the convolution: a number, one for each channel, or an array as large as the result."""


@dataclass(frozen=True)
class FilteredSizes:
    """The sizes of a convolution.

    Attributes:
        images, channels, height, width: of the input.
        kernels, rows, columns: of the result.
        window: numbers of a window along a side.
        top, left: what the first windows reach beyond the image.
    """

    images: int
    channels: int
    height: int
    width: int
    kernels: int
    rows: int
    columns: int
    window: int
    top: int
    left: int

    @property
    def multiplications(self) -> int:
        """Of the convolution as it is written."""
        return self.images * self.rows * self.columns * self.kernels * self.channels * self.window**2

    def tiles(self, m: int) -> tuple[int, int]:
        """Rows of tiles of m x m outputs, of all images, and tiles of a row."""
        return self.images * -(-self.rows // m), -(-self.columns // m)


@dataclass(frozen=True)
class FilteredConv(FilteredSizes):
    """A convolution and the maps behind it.

    Attributes:
        body: the stored value, from the sum of the convolution (argument 0) and the other values that are read.
        others: of each of those ONE, CHANNEL or WHOLE.
        reads: the places, among the inputs of the part's Spec, of the image, the weights, and those.
        lying: the inputs of the part's Spec, and its output, that do not lie with channels last, where it counts.
    """

    body: Expr
    others: tuple[str, ...]
    reads: tuple[int, ...]
    lying: tuple[int, ...]


def may_be_filtered(calls: Sequence[ModelValue]) -> bool:
    """Whether these calls are of the kind, in some layout."""
    conv = next((value for value in calls if value.call == "conv2d"), None)
    if conv is None or sum(value.call == "conv2d" for value in calls) > 1:
        return False
    x, w = conv.values
    attributes = dict(conv.attributes)
    _, _, kh, kw = w.type.shape
    return (
        {x.type.dtype, w.type.dtype, conv.type.dtype} == {"f32"}
        and x.type.dynamic is None
        and w.array is not None
        and kh == kw
        and kh in (3, 5)
        and all(attributes.get(name, 1) in (1, (1, 1)) for name in ("stride", "dilation", "groups"))
    )


def filtered(part: ModelPart) -> FilteredConv | None:
    """A part as such a convolution; None where it is none."""
    if not part.calls or not may_be_filtered(part.calls) or len(part.gives) != 1:
        return None
    conv = next(value for value in part.calls if value.call == "conv2d")
    maps = [value for value in part.calls if value is not conv]
    x, w = conv.values
    place = {read: i for i, read in enumerate(part.reads)}
    types = dict(zip(part.reads, part.spec.inputs))
    (y,) = part.spec.outputs
    if x not in place or w not in place or y.shape != conv.type.shape or y.dtype != "f32":
        return None
    if not _lies(types[w], (3, 2, 1, 0)) or types[x].shape != x.type.shape:
        return None  # nor is it what lies in blocks
    stored = _stored(conv, maps, types)
    if stored is None:
        return None
    body, reads = stored
    others = tuple(_kind(types[read], y) for read in reads)
    if not all(others):
        return None
    turned = [read for read, kind in ((x, WHOLE), *zip(reads, others)) if kind == WHOLE]
    lying = [place[read] for read in turned if not _lies(types[read], CHANNELS_LAST)]
    lying += [len(part.reads)] * (not _lies(y, CHANNELS_LAST))
    attributes = dict(conv.attributes)
    slid, (rows, columns), _ = convolved("conv2d", x.type, w.type, Windows(padding=attributes.get("padding", 0)))
    images, channels, height, width = x.type.shape
    return FilteredConv(
        images=images,
        channels=channels,
        height=height,
        width=width,
        kernels=w.type.shape[0],
        rows=rows,
        columns=columns,
        window=w.type.shape[2],
        top=slid.padding[0][0],
        left=slid.padding[1][0],
        body=body,
        others=tuple(map(str, others)),
        reads=(place[x], place[w], *(place[read] for read in reads)),
        lying=tuple(lying),
    )


def _lies(type: TensorType, order: tuple[int, ...]) -> bool:
    """Whether a tensor lies as one of this layout: axes of size 1 do not count."""
    apart = lambda axes: [axis for axis in axes if type.shape[axis] > 1]
    return apart(type.minor_to_major) == apart(order)


def _kind(type: TensorType, y: TensorType) -> str | None:
    """What a map reads, by its shape; None where it is of another kind."""
    if type.dtype != "f32":
        return None
    if type.shape == y.shape:
        return WHOLE
    if type.elements == 1:
        return ONE
    is_channel = type.elements == y.shape[1] and type.shape[-3:] == (y.shape[1], 1, 1)
    return CHANNEL if is_channel else None


def _stored(
    conv: ModelValue, maps: Sequence[ModelValue], types: dict[ModelValue, TensorType]
) -> tuple[Expr, list[ModelValue]] | None:
    """The stored value, from the convolution's sum, argument 0, and other values; and these values. None where it is
    more than one map."""
    if not maps:
        return Arg(0), []
    own = {conv, *maps}
    read = dict.fromkeys(r for value in maps for r in value.values if r not in own)
    if any(key not in types for key in read):
        return None
    names = {key: f"p{n}" for n, key in enumerate(read)}
    made: dict[ModelValue, Spec | TensorType] = {conv: replace(tensor(conv.type.shape), name="conv")}
    made |= {key: replace(types[key], name=name, minor_to_major=_plain(types[key])) for key, name in names.items()}
    for value in maps:
        made[value] = applied(value.call, value.reads_in(made), value.attributes)
    spec = made[maps[-1]]
    assert isinstance(spec, Spec)
    if not spec.is_map or spec.accumulator != "f32":
        return None
    order = [type.name for type in spec.inputs]
    if "conv" not in order or len(set(order)) != len(order):
        return None
    values = {name: key for key, name in names.items()}
    first = [order.index("conv"), *(i for i, name in enumerate(order) if name != "conv")]
    places = sorted(range(len(first)), key=first.__getitem__)
    return substitute(spec.operation.body, tuple(map(Arg, places))), [values[order[i]] for i in first[1:]]


def _plain(type: TensorType) -> tuple[int, ...]:
    return tuple(reversed(range(type.rank)))

"""What a kernel packed, and whether it is as it was: a write through `.data`, NumPy or an inference tensor leaves no
version behind.

The memory of a weight is made copy-on-write (`torch._lazy_clone`), with a clone that no one else has. Then torch gives
the weight memory elsewhere before anything can write to it or get its address. So a call compares addresses alone. Some
tensors torch cannot watch so (memory of NumPy or of a file, memory that others share). They are known by a digest of
all their bytes, or are read where they lie.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

import cffi
import torch

from ..machine import resolve
from ..runtime.toolchain import compile_shared
from ..support.forks import ForkLock
from .tensors import address_of

SMALL = 1 << 16  # bytes, of which a digest takes some microseconds
RATE = 40e9  # bytes of which a digest is taken in a second
SHARE = 0.5  # of a kernel's time that digests may take; beyond, weights that lie in place are the lesser evil
memory_of, start_of = torch._C._data_address, torch.Tensor.storage_offset  # of an address, in a third of its time
IN_VAIN = 3  # times that a weight is given other memory and is as it was, after which its bytes are looked at


def is_frozen() -> bool:
    """Whether parameters are promised not to change: `torch._inductor.config.freezing`."""
    from torch._inductor import config

    return bool(config.freezing)


def clone_of(tensor: torch.Tensor) -> torch.Tensor | None:
    """A clone that shares memory until one of both is written; None where torch cannot make one."""
    try:
        return torch._lazy_clone(tensor.detach())
    except RuntimeError:  # memory that is not torch's own
        return None


def watchable(tensors: Iterable[torch.Tensor]) -> set[int]:
    """The tensors (by `id`) whose memory is shared with these tensors alone: no NumPy array, no tensor elsewhere."""
    each = {id(tensor): tensor for tensor in tensors if type(tensor) in (torch.Tensor, torch.nn.Parameter)}
    stores = {key: tensor.untyped_storage() for key, tensor in each.items()}
    held = Counter(store._cdata for store in stores.values())
    is_ours = lambda store: torch._C._storage_Use_Count(store._cdata) == held[store._cdata] + 1
    return {key for key, store in stores.items() if store.resizable() and store.nbytes() and is_ours(store)}


class HeldTensors:
    """Tensors that a kernel packed.

    Args:
        tensors: by the place of an input; or by a name, of those that the graph itself has.
        frozen: they are promised not to change.

    Attributes:
        unwatched: bytes whose digest is taken at each call.
    """

    def __init__(self, tensors: Mapping[Any, torch.Tensor], frozen: bool) -> None:
        self.tensors, self.frozen = dict(tensors), frozen
        self.clones: dict[Any, torch.Tensor] = {}
        self.in_vain: Counter[Any] = Counter()
        self.lock = ForkLock()
        self.watched: tuple[list[Any], list[int], list[int]] = [], [], []
        self.digested: list[Any] = []
        if not frozen:
            self._watch([place for place in tensors if isinstance(place, int)], self.tensors)
            self._settle()

    @property
    def unwatched(self) -> int:
        return sum(_bytes(self.tensors[place]) for place in self.digested)

    def of(self, inputs: Sequence[Any]) -> HeldTensors:
        """The same places of another call."""
        return HeldTensors(
            {i: inputs[i] if isinstance(i, int) else each for i, each in self.tensors.items()}, self.frozen
        )

    def leave(self) -> None:
        """Hold no large input that is not watched."""
        is_left = lambda i, each: isinstance(i, int) and i not in self.clones and each.nbytes > SMALL
        self.tensors = {i: each for i, each in self.tensors.items() if not is_left(i, each)}
        self._settle()

    def is_dear(self, seconds: float) -> bool:
        """Whether digests take too much beside a kernel of these seconds."""
        return self.unwatched > SMALL and self.unwatched / RATE > SHARE * seconds

    def shown(self, place: Any) -> torch.Tensor:
        """A tensor to read it by, which is not the watched one."""
        result = clone_of(self.clones[place]) if place in self.clones else None
        return self.tensors[place].detach() if result is None else result

    def is_as_it_was(self, inputs: Sequence[Any]) -> bool:
        """Whether what was packed is what a call gives."""
        if self.frozen:
            return True
        places, memory, starts = self.watched
        now = [inputs[place] for place in places]
        if list(map(memory_of, now)) != memory or list(map(start_of, now)) != starts:
            return self._is_equal(inputs)
        return not self.digested or self._digest(self._now(inputs)) == self.digest

    def _watch(self, places: Sequence[Any], now: Mapping[Any, torch.Tensor]) -> None:
        can = watchable(now[place] for place in places)
        for place in places:
            self.clones.pop(place, None)
            result = clone_of(now[place]) if id(now[place]) in can and self.in_vain[place] < IN_VAIN else None
            if result is not None:
                self.clones[place] = result

    def _settle(self) -> None:
        clones = self.clones.values()
        self.watched = list(self.clones), list(map(memory_of, clones)), list(map(start_of, clones))
        self.digested = [place for place in self.tensors if place not in self.clones]
        self.lies = [_lies(self.tensors[place]) for place in self.digested]
        self.digest = self._digest([self.tensors[place] for place in self.digested])

    def _now(self, inputs: Sequence[Any]) -> list[torch.Tensor]:
        return [inputs[place] if isinstance(place, int) else self.tensors[place] for place in self.digested]

    def _digest(self, tensors: Sequence[torch.Tensor]) -> int:
        if [_lies(each) for each in tensors] != self.lies:
            return -1
        return digest_of(tensors)

    def _is_equal(self, inputs: Sequence[Any]) -> bool:
        """The same where some have memory elsewhere, which may hold what it did: then it is watched again."""
        with self.lock:
            if self.digested and self._digest(self._now(inputs)) != self.digest:
                return False
            moved = [place for place, clone in self.clones.items() if address_of(inputs[place]) != address_of(clone)]
            for place in moved:
                clone, now = self.clones[place], inputs[place]
                if _lies(now) != _lies(clone) or digest_of([now]) != digest_of([clone]):
                    return False
            self.in_vain.update(moved)
            self.tensors.update((place, inputs[place]) for place in moved)
            self._watch(moved, {place: inputs[place] for place in moved})
            self._settle()
            return True


def _lies(tensor: torch.Tensor) -> tuple[Any, ...]:
    return tensor.shape, tensor.stride(), tensor.dtype


def _bytes(tensor: torch.Tensor) -> int:
    """From its first element to the end of its last."""
    if not tensor.numel():
        return 0
    last = sum((n - 1) * step for n, step in zip(tensor.shape, tensor.stride()))
    return (last + 1) * tensor.element_size()


def digest_of(tensors: Sequence[torch.Tensor]) -> int:
    """What stands in their memory as one number."""
    if not tensors:
        return 0
    ffi, library = _library()
    addresses = ffi.new("uint64_t[]", list(map(address_of, tensors)))
    return int(library.griotte_digest(len(tensors), addresses, ffi.new("int64_t[]", list(map(_bytes, tensors)))))


@functools.cache
def _library() -> tuple[Any, Any]:
    ffi = cffi.FFI()
    ffi.cdef("uint64_t griotte_digest(int64_t, const uint64_t *, const int64_t *);")
    text = files(__package__).joinpath("digest.c").read_text(encoding="utf-8")
    return ffi, ffi.dlopen(str(compile_shared(text, resolve("native").flags)))

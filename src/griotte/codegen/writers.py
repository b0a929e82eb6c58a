"""What each node of a Program is in C: one writer for each kind, and the emitter that calls them."""

from __future__ import annotations

from ..engine.program.nodes import Alias, Bands, Block, BySize, Hole, KernelCall, Loop, Move, Pipeline, Rounds, Shards
from ..engine.program.view import View
from ..engine.vectors.library import VectorLibrary
from ..machine.target import Target
from ..support.errors import NoProgramError
from .dynamic import bands, by_size, open_loop
from .emitter import Emitter, NodeWriter
from .leaf_functions import leaf
from .moves import move, pipeline
from .rounds import rounds, shards
from .teams import parallel


def emitter_for(target: Target, library: VectorLibrary) -> Emitter:
    """An emitter that has met nothing yet."""
    return Emitter(target, library, WRITERS)


def _loop(emitter: Emitter, node: Loop, views: list[View]) -> list[str]:
    if node.threads > 1:
        return parallel(emitter, node, views)
    return open_loop(emitter, node, views) if node.open is not None else emitter.counted_loop(node, views)


def _alias(emitter: Emitter, node: Alias, views: list[View]) -> list[str]:
    return emitter.node(node.body, [views[i] for i in node.sees])


def _hole(emitter: Emitter, node: Hole, views: list[View]) -> list[str]:
    raise NoProgramError(f"expected a complete program, found a hole for {node.state}; `synthesize` fills it")


WRITERS: dict[type, NodeWriter] = {
    Loop: _loop,
    Move: move,
    Block: Emitter.block,
    Pipeline: pipeline,
    Rounds: rounds,
    Shards: shards,
    Alias: _alias,
    KernelCall: leaf,
    BySize: by_size,
    Bands: bands,
    Hole: _hole,
}

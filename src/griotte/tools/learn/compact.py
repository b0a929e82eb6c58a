"""Timed programs pruned to the data that a model is fitted to, in one small file that is kept or shared: features,
trees, prices and times, without decisions. An .npz of plain arrays:

    about     JSON text as bytes: format, version and names of the features, columns of trees, groups
    group, price, warm, cold, spread, features          as in `Samples`; features and times to half of a float's digits
    rows      the different rows of nodes of all trees, a column after the other
    row       of each node of each tree the number of its row
    nodes, edges                                        how many each tree has
    edge      of all trees, one after the other

A file is data from outside: nothing of it is run, and its data are checked before they are used.
"""

from __future__ import annotations

import io
import json
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.learned.features import NAMES, VERSION
from ...engine.learned.samples import Group, Samples
from ...engine.learned.tree import COLUMNS, Tree, packed, unpacked
from ...support.errors import GriotteError
from ...support.folders import write_atomically

FORMAT = 1
SUFFIX = ".npz"
LARGEST = 1 << 31  # bytes of all arrays
_ARRAYS = {
    "about": np.uint8,
    "group": np.uint32,
    "price": np.float32,
    "warm": np.float32,
    "cold": np.float32,
    "spread": np.float16,
    "features": np.float16,
    "rows": np.float16,
    "row": np.uint32,
    "nodes": np.uint16,
    "edges": np.uint16,
    "edge": np.uint16,
}


def write(samples: Samples, path: str | Path) -> int:
    """Write timed programs; how many bytes that is. GriotteError where it does not go."""
    trees = [unpacked(tree) for tree in samples.trees] if all(samples.trees) else []
    nodes = [tree.nodes.astype(np.float16) for tree in trees]
    every = np.concatenate(nodes) if nodes else np.zeros((0, len(COLUMNS)), np.float16)
    _, first, row = np.unique(_as_one(every), return_index=True, return_inverse=True)
    edges = [tree.edges.astype(np.uint16) for tree in trees]
    used = {int(n): place for place, n in enumerate(np.unique(samples.group))}
    about = {
        "format": FORMAT,
        "version": samples.version,
        "names": list(NAMES),
        "columns": list(COLUMNS),
        "groups": [list(samples.groups[n]) for n in used],
    }
    found = {
        "about": np.frombuffer(json.dumps(about).encode(), np.uint8),
        "group": np.array([used[int(n)] for n in samples.group]),
        **{name: getattr(samples, name) for name in ("price", "warm", "cold", "spread")},
        "features": samples.features.T,
        "rows": every[first].T,
        "row": row,
        "nodes": np.array([len(each) for each in nodes]),
        "edges": np.array([len(each) for each in edges]),
        "edge": (np.concatenate(edges) if edges else np.zeros((0, 2))).T,
    }
    file = io.BytesIO()
    with np.errstate(over="ignore"):
        arrays: dict[str, Any] = {name: np.ascontiguousarray(found[name], type) for name, type in _ARRAYS.items()}
        np.savez_compressed(file, **arrays)
    content = file.getvalue()
    try:
        write_atomically(Path(path), content)
    except OSError as error:
        raise GriotteError(
            f"expected to write {path}, found {error.strerror or error}; name a file in a folder that can be written"
        ) from None
    return len(content)


def read(path: str | Path) -> Samples:
    """The timed programs of a file that `write` wrote. GriotteError where it is something else."""
    found = _arrays(Path(path))
    rows, count = found["group"].astype(np.int64), len(found["group"])
    groups = _groups(found["about"], path)
    of_rows = {name: found[name].astype(np.float64) for name in ("price", "warm", "cold", "spread")}
    features = found["features"].astype(np.float64)
    is_right = features.shape == (len(NAMES), count) and all(x.shape == (count,) for x in of_rows.values())
    if not is_right or not count or rows.max() >= len(groups) or not np.isfinite(features).all():
        raise _wrong(path, "other arrays")
    if not all((of_rows[name] > 0).all() and np.isfinite(of_rows[name]).all() for name in ("price", "warm")):
        raise _wrong(path, "prices or times that are none")
    return Samples(VERSION, groups, rows, np.ascontiguousarray(features.T), **of_rows, trees=_trees(found, count, path))


def _trees(found: dict[str, NDArray[Any]], count: int, path: str | Path) -> tuple[bytes, ...]:
    nodes, edges, rows = found["nodes"].astype(np.int64), found["edges"].astype(np.int64), found["rows"]
    if not len(nodes):
        return ()
    row, edge = found["row"].astype(np.int64), found["edge"]
    sizes = (len(nodes), len(edges), nodes.sum(), edges.sum())
    if sizes != (count, count, len(row), edge.shape[-1]) or rows.ndim != 2 or edge.ndim != 2 or len(edge) != 2:
        raise _wrong(path, "other trees")
    if len(rows) != len(COLUMNS) or (row >= rows.shape[1]).any():
        raise _wrong(path, "other nodes")
    starts = zip(*(pairwise(np.concatenate([[0], np.cumsum(each)]).tolist()) for each in (nodes, edges)))
    made = []
    for (first, last), (of_first, of_last) in starts:
        of_tree = rows[:, row[first:last]].T.astype(np.float32)
        tree = packed(Tree(of_tree, edge[:, of_first:of_last].T.astype(np.int32)))
        try:
            unpacked(tree)
        except GriotteError:
            raise _wrong(path, "a tree that is none") from None
        made.append(tree)
    return tuple(made)


def _groups(about: NDArray[Any], path: str | Path) -> tuple[Group, ...]:
    try:
        told = json.loads(about.tobytes())
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or told.get("format") != FORMAT or not isinstance(told.get("groups"), list):
        raise _wrong(path, "no word of what it is")
    if (told.get("version"), told.get("names"), told.get("columns")) != (VERSION, list(NAMES), list(COLUMNS)):
        raise _wrong(path, f"features or trees of another version than {VERSION}")
    return tuple(_group(each, path) for each in told["groups"])


def _group(found: Any, path: str | Path) -> Group:
    match found:
        case [str(spec), str(operation), int(threads), str(target), str(machine), str(network)]:
            return Group(spec, operation, threads, target, machine, network)
    raise _wrong(path, "a group that is none")


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    try:
        with zipfile.ZipFile(path) as parts:
            if sum(part.file_size for part in parts.infolist()) > LARGEST:
                raise _wrong(path, f"more than {LARGEST >> 30} GiB")
        with np.load(path, allow_pickle=False) as file:
            found = {name: file[name] for name in file.files}
    except OSError as error:
        raise _wrong(path, error.strerror or str(error)) from None
    except GriotteError:
        raise
    except Exception as error:  # of zip, of zlib, and of what NumPy makes of a header
        raise _wrong(path, type(error).__name__) from None
    if {name: array.dtype for name, array in found.items()} != {n: np.dtype(t) for n, t in _ARRAYS.items()}:
        raise _wrong(path, "other arrays")
    return found


def _as_one(rows: NDArray[np.float16]) -> NDArray[np.void]:
    """[rows, columns] as [rows], by their bytes."""
    return np.ascontiguousarray(rows).view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()


def _wrong(path: str | Path, what: str) -> GriotteError:
    return GriotteError(
        f"expected a file of timed programs that griotte learn prune wrote, found {what}: {path}; name another file"
    )

"""A pruned file has what a model is fitted to, in fewer bytes; damaged and foreign ones are refused in a line."""

import io
import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from griotte.compiler.session import Session
from griotte.engine.learned.features import NAMES, VERSION, features
from griotte.engine.learned.samples import Group, Samples
from griotte.engine.learned.tree import packed, trees, unpacked
from griotte.lang.text.text import parse
from griotte.machine import resolve
from griotte.support.errors import GriotteError
from griotte.tools.learn import compact
from griotte.tools.learn.drafts import Drafting

PORTABLE = resolve("portable")
TEXTS = ("exp(f32[12,30])", "matmul(f32[9,8], f32[8,17])")


@pytest.fixture(scope="module")
def samples():
    roots = [[d.root for d in Drafting(parse(text), Session(PORTABLE), most=5).drafts()] for text in TEXTS]
    every = [root for each in roots for root in each]
    count, rng = len(every), np.random.default_rng(0)
    return Samples(
        VERSION,
        tuple(Group(text, text.split("(")[0], 1, "portable", "a CPU", "net" * n) for n, text in enumerate(TEXTS)),
        np.repeat(np.arange(2), [len(each) for each in roots]),
        features(every, PORTABLE, 1),
        np.array([root.cost for root in every]),
        rng.random(count) * 1e3 + 0.1,
        np.full(count, np.nan),
        rng.random(count) * 0.05,
        tuple(map(packed, trees(every, PORTABLE))),
    )


def test_what_is_kept_comes_back(samples, tmp_path):
    size = compact.write(samples, tmp_path / "s.npz")
    assert size == (tmp_path / "s.npz").stat().st_size
    again = compact.read(tmp_path / "s.npz")
    assert again.groups == samples.groups and np.array_equal(again.group, samples.group)
    assert np.allclose(again.features, samples.features, rtol=1e-3, atol=1e-6)
    for name, rtol in (("price", 1e-6), ("warm", 1e-6), ("spread", 1e-3)):
        assert np.allclose(getattr(again, name), getattr(samples, name), rtol=rtol)
    assert np.isnan(again.cold).all()
    for one, other in zip(again.trees, samples.trees):
        assert all(map(np.array_equal, unpacked(one), unpacked(other)))
    compact.write(again, tmp_path / "again.npz")  # nothing more is lost
    assert compact.read(tmp_path / "again.npz").trees == again.trees


def test_a_part_without_trees(samples, tmp_path):
    part = replace(samples.of(samples.group == 1), trees=())
    compact.write(part, tmp_path / "p.npz")
    again = compact.read(tmp_path / "p.npz")
    assert again.groups == samples.groups[1:] and not again.group.any() and again.trees == ()


def arrays(path):
    with np.load(path) as file:
        return dict(file)


def about(found, **more):
    return np.frombuffer(json.dumps(json.loads(found["about"].tobytes()) | more).encode(), np.uint8)


def test_damaged_and_foreign_files_are_refused(samples, tmp_path):
    path = tmp_path / "s.npz"
    compact.write(samples, path)
    whole, found = path.read_bytes(), arrays(path)
    count, edge = len(samples), found["edge"]
    wrong = [
        {"about": about(found, version=VERSION + 1)},
        {"about": about(found, names=list(NAMES[1:]))},
        {"about": about(found, groups=[["exp"]])},
        {"about": about(found, groups=[])},
        {"about": np.zeros(9, np.uint8)},
        {"price": np.zeros(count, np.float32)},
        {"warm": np.full(count, np.nan, np.float32)},
        {"warm": found["warm"][:-1]},
        {"warm": found["warm"].astype(np.float64)},
        {"features": found["features"][1:]},
        {"features": np.full_like(found["features"], np.inf)},
        {"group": found["group"] + np.uint32(2)},
        {"row": found["row"] + np.uint32(10_000)},
        {"row": found["row"][1:]},
        {"nodes": found["nodes"][1:]},
        {"edge": edge[::-1]},
        {"edge": edge + np.uint16(60_000)},
        {"rows": found["rows"][1:]},
    ]
    for change in wrong:
        with path.open("wb") as file:
            np.savez_compressed(file, **(found | change))
        with pytest.raises(GriotteError, match="expected a file of timed programs"):
            compact.read(path)
    objects = io.BytesIO()
    np.save(objects, np.array([{}], object), allow_pickle=True)
    for content in (b"", b"PK", whole[: len(whole) // 2], whole[:-30], _with(whole, "price.npy", objects.getvalue())):
        path.write_bytes(content)
        with pytest.raises(GriotteError, match="expected a file of timed programs"):
            compact.read(path)
    rng = np.random.default_rng(3)
    for _ in range(60):  # a byte here and there: told, or of no account
        damaged = bytearray(whole)
        damaged[int(rng.integers(len(whole)))] ^= 1 << int(rng.integers(8))
        path.write_bytes(bytes(damaged))
        try:
            compact.read(path)
        except GriotteError as error:
            assert "\n" not in str(error)


def _with(whole: bytes, name: str, content: bytes) -> bytes:
    """A zip file whose member of that name has another content."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as file, zipfile.ZipFile(made, "w") as other:
        for each in file.namelist():
            other.writestr(each, content if each == name else file.read(each))
    return made.getvalue()


def test_a_folder_that_is_none(samples, tmp_path):
    with pytest.raises(GriotteError, match="expected to write"):
        compact.write(samples, tmp_path / "no" / "s.npz")
    with pytest.raises(GriotteError, match="found No such file"):
        compact.read(tmp_path / "s.npz")

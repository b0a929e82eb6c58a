"""The versions in a table's keys: raised where what they stand for changes, and nowhere else.

Kept beside this file are the versions and digests of what they stand for: of what the space does, and of the golden C.
A digest may be another under another version, or for a target that is another one (its key differs then, so its tables
are new as well). After such a change, write them anew:

    pytest tests/engine/table/test_keys.py --refresh-golden
"""

import json
import types
from dataclasses import fields, replace
from pathlib import Path

import pytest
import test_golden
from fingerprints import PROBLEMS, space_of
from griotte.engine import rewrites
from griotte.engine.search import ladder, limits
from griotte.engine.table import digest, keys, versions
from machines import machine

HERE = Path(__file__).parent
ADVICE = (
    "raise {name} in src/griotte/engine/table/versions.py, then:"
    " pytest tests/engine/table/test_keys.py --refresh-golden"
)


def judged(path: Path, name: str, version: list[int], found: dict[str, list[str]], refresh: bool) -> str:
    """What is wrong with what is kept, empty if nothing; it is written anew where that is asked for and a version
    stands for one thing still."""
    now = {"version": version, "digests": found}
    kept = json.loads(path.read_text()) if path.exists() else {"version": version, "digests": {}}
    both = [key for key in found if key in kept["digests"]]
    changed = [key for key in both if kept["digests"][key][0] == found[key][0] and kept["digests"][key] != found[key]]
    if version < kept["version"] or version == kept["version"] and changed:
        return (
            f"expected version {kept['version']} as kept in {path.name}, found version {version} and another digest of"
            f" {', '.join(changed)}; {ADVICE.format(name=name)}"
        )
    if refresh:
        path.write_text(json.dumps(now, indent=1) + "\n")
    elif kept != now:
        return (
            f"expected {path.name} of version {version} and today's targets, found an older one; if that is meant:"
            " pytest tests/engine/table/test_keys.py --refresh-golden"
        )
    return ""


def test_the_space_changes_with_its_version_alone(request):
    found = {name: list(space_of(name)) for name in PROBLEMS}
    assert not judged(
        HERE / "space_versions.json", "SPACE", [versions.SPACE], found, request.config.getoption("--refresh-golden")
    )


def test_the_c_changes_with_its_version_alone(request):
    """Or with that of the space: a tuning is kept under both."""
    found = {}
    for name, (_, target, _) in test_golden.PROGRAMS.items():
        files = test_golden.GOLDEN / f"{name}.c", test_golden.helpers_file(target)
        written = b"".join(path.read_bytes() for path in files)
        found[name] = [keys.target_key(machine(target)), digest(written)]
    assert not judged(
        HERE / "emitted_versions.json",
        "EMITTED (or SPACE, where other programs are found)",
        [versions.SPACE, versions.EMITTED],
        found,
        request.config.getoption("--refresh-golden"),
    )


def test_digests_are_not_refreshed_under_the_version_that_they_are_of(tmp_path):
    path, first, other = tmp_path / "kept.json", {"a": ["avx2", "0"]}, {"a": ["avx2", "1"]}
    assert judged(path, "SPACE", [1], first, refresh=True) == ""
    before = path.read_text()
    complaint = judged(path, "SPACE", [1], other, refresh=True)
    assert "found version [1] and another digest of a; raise SPACE in" in complaint and path.read_text() == before
    assert "found an older one" in judged(path, "SPACE", [2], other, refresh=False)
    assert judged(path, "SPACE", [2], other, refresh=True) == "" == judged(path, "SPACE", [2], other, refresh=False)
    assert "found version [1]" in judged(path, "SPACE", [1], first, refresh=True)


def test_another_target_needs_no_other_version(tmp_path):
    path = tmp_path / "kept.json"
    judged(path, "SPACE", [1], {"a": ["avx2", "0"]}, refresh=True)
    assert "found an older one" in judged(path, "SPACE", [1], {"a": ["avx2 and a kernel", "1"]}, refresh=False)
    assert judged(path, "SPACE", [1], {"a": ["avx2 and a kernel", "1"]}, refresh=True) == ""


@pytest.mark.parametrize("of", ["crossing", "handling"])
def test_a_number_counts_where_it_is_not_its_default(of):
    """Where it is, a target has the key that is kept in emitted_versions.json, from before some of these came."""
    target = machine("avx2")
    now = getattr(target, of)
    for f in fields(now):
        other = replace(target, **{of: replace(now, **{f.name: getattr(now, f.name) + 1})})
        assert keys.target_key(other) != keys.target_key(target), f.name


def backwards(patch):
    patch.setattr(rewrites, "RULES", rewrites.RULES[::-1])


def fewer_tiles(patch):
    whole = ladder.tile_sizes
    patch.setattr(ladder, "tile_sizes", lambda extent, extra=(): [t for t in whole(extent, extra) if t != 12])


def dearer_fills(patch):
    patch.setattr(rewrites.ToAccumulator, "edge", _dearer(rewrites.ToAccumulator.edge))


def finer_limits(patch):
    patch.setattr(limits, "SHARES", (0.0, 0.1, 0.25, 0.5, 0.75, 1.0))


def _dearer(edge):
    def dearer(self, family, target):
        found = edge(self, family, target)
        return types.SimpleNamespace(
            **{**vars(found), "features": lambda size: {"call": 1}, "key": ("call",), "body": found.body}
        )

    return dearer


@pytest.mark.parametrize("change", [backwards, fewer_tiles, dearer_fills, finer_limits])
def test_the_digest_tells_another_space(change, monkeypatch):
    before = space_of("matmul_f32_limits_bind")
    change(monkeypatch)
    target, after = space_of("matmul_f32_limits_bind")
    assert target == before[0] and after != before[1]


def test_the_keys_follow_the_versions(monkeypatch):
    space, emitted = keys.space(), keys.emitted()
    monkeypatch.setattr(versions, "EMITTED", versions.EMITTED + 1)
    assert keys.space() == space and keys.emitted() != emitted
    monkeypatch.setattr(versions, "SPACE", versions.SPACE + 1)
    assert keys.space() != space


def test_a_rewrite_from_outside_counts_with_its_code(monkeypatch):
    declared = rewrites.RULES

    def key(source: str) -> str:
        namespace = {"__name__": "elsewhere"}
        exec(source, namespace)
        monkeypatch.setattr(rewrites, "RULES", (*declared, rewrites.RewriteRule(namespace["mine"])))
        return keys.space()

    plain = key("def mine(family, target):\n    return [f for f in () if f in {'a', 'b', 'c'} and 1]")
    assert plain != keys_without(monkeypatch, declared)
    assert plain == key(
        "def mine(family, target):  # the same, with a comment\n    return [f for f in () if f in {'a', 'b', 'c'}"
        " and 1]"
    )
    assert plain != key("def mine(family, target):\n    return [f for f in () if f in {'a', 'b', 'd'} and 1]")
    assert plain != key("def mine(family, target):\n    return [f for f in () if f not in {'a', 'b', 'c'} and 1]")


def keys_without(monkeypatch, declared) -> str:
    monkeypatch.setattr(rewrites, "RULES", declared)
    return keys.space()

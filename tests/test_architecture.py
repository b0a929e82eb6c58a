"""The structure of the package, read from its imports: rooms point one way, circles and lazy imports are counted, and a
class name stands for one class.

Every import counts, also those of functions and those for a type checker alone.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
BLOCKS = "body", "orelse", "finalbody", "handlers", "cases"  # of statements, or of what has them
PACKAGES = ("griotte", "griotte_peers")
CIRCLES: list[set[str]] = []
LAZY = 60
"""Imports within a function, at most: what is slow to load (Numba, and what a search is of) or an extra (torch, jax,
onnx, matplotlib); what a kernel that was kept or saved needs none of; and what is of what imports it."""
PARAMETERS, MANY = 6, 36
"""How many functions may have more than so many parameters: verbs and doors, whose words are a person's; calls of the
language and operators of frameworks, whose arguments are theirs; loops of the search that Numba compiles."""
ENTRIES = 15
"""Files and folders of src/griotte, at most."""
TWICE = 4
"""Names of classes and of types, at most, that two files define."""


@dataclass(frozen=True)
class Import:
    """One import: the files of the package that it names, and whether it runs with a function alone."""

    source: str
    targets: frozenset[str]
    is_lazy: bool
    is_outside: bool


def files() -> list[Path]:
    return sorted(path for package in PACKAGES for path in (SOURCE / package).rglob("*.py"))


def name(path: Path) -> str:
    """From the package on; of griotte itself, from its rooms on."""
    return str(path.relative_to(SOURCE)).removeprefix("griotte/")


@cache
def found_at(*parts: str) -> str | None:
    """The file of the package that a dotted name is, if it is one."""
    path = SOURCE.joinpath(*parts)
    file = path.with_suffix(".py") if parts else None
    if file is not None and file.exists():
        return name(file)
    return name(path / "__init__.py") if (path / "__init__.py").exists() else None


def named(path: Path, node: ast.Import | ast.ImportFrom) -> tuple[frozenset[str], bool]:
    """The files that an import statement names, and whether it names none of the package."""
    if isinstance(node, ast.Import):
        inside = [parts for alias in node.names if (parts := alias.name.split("."))[0] in PACKAGES]
        return frozenset(filter(None, (found_at(*parts) for parts in inside))), not inside
    here = list(path.relative_to(SOURCE).parts)
    module = node.module.split(".") if node.module else []
    if node.level:
        base = here[: len(here) - node.level] + module
    elif module[:1] and module[0] in PACKAGES:
        base = module
    else:
        return frozenset(), True
    deeper = {found_at(*base, alias.name) for alias in node.names}
    return frozenset(filter(None, deeper)) or frozenset(filter(None, [found_at(*base)])), False


@cache
def imports(path: Path) -> list[Import]:
    """All imports of a file."""
    found = []
    for node, is_lazy in statements(parsed(path)):
        if isinstance(node, (ast.Import, ast.ImportFrom)) and getattr(node, "module", "") != "__future__":
            targets, is_outside = named(path, node)
            found.append(Import(name(path), targets, is_lazy, is_outside))
    return found


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def statements(node: ast.AST, within: bool = False) -> Iterator[tuple[ast.stmt, bool]]:
    """All statements below a node, each with whether it is within a function. No expression has one."""
    for field in BLOCKS:
        for inner in getattr(node, field, ()):
            if isinstance(inner, ast.stmt):
                yield inner, within
            yield from statements(inner, within or isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)))


def rooms() -> list[str]:
    """The rooms of src/griotte, in the order in which the page's table lists them."""
    text = (ROOT / "docs/explanation/architecture.md").read_text()
    table = text.partition("## Rooms")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([\w./]+?)/?` \|", table, re.M)


@cache
def room(file: str) -> str:
    """The room that a file is in: of those listed the one with the longest name, else what stands in src/griotte."""
    return max((each for each in rooms() if file == each or file.startswith(f"{each}/")), key=len, default=top(file))


def top(file: str) -> str:
    return file.split("/", maxsplit=1)[0]


def circles(arrows: dict[str, set[str]]) -> list[set[str]]:
    """Files that import each other in a loop (strongly connected components of two or more)."""
    reached = {file: reach(arrows, file) for file in arrows}
    found: list[set[str]] = []
    for file in arrows:
        circle = {other for other in reached[file] if file in reached.get(other, set())}
        if len(circle) > 1 and circle not in found:
            found.append(circle)
    return found


def reach(arrows: dict[str, set[str]], start: str) -> set[str]:
    """All files that imports lead to."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for to in arrows.get(waiting.pop(), set()) - seen:
            seen.add(to)
            waiting.append(to)
    return seen


def arrows() -> dict[str, set[str]]:
    return {name(path): {to for one in imports(path) for to in one.targets} - {name(path)} for path in files()}


def test_imports_point_one_way():
    """No room imports from one that is listed below it, be it when it runs."""
    order = rooms()
    inside = {name(path) for path in files()} - {f"{group}/__init__.py" for group in map(top, order)} - {"__init__.py"}
    assert {room(file) for file in inside} <= set(order), "a room is missing from the table"
    upward = [
        f"{file} imports {to}"
        for file, targets in arrows().items()
        for to in targets
        if room(file) in order and (to == "__init__.py" or order.index(room(to)) > order.index(room(file)))
    ]
    assert not upward


def test_groups_are_few_and_stand_together():
    """What a newcomer sees first: a folder for each group, whose rooms are listed one after another."""
    groups = [group for group, _ in groupby(map(top, rooms()))]
    assert len(groups) == len(set(groups)), groups
    entries = (SOURCE / "griotte").iterdir()
    seen = {path.name for path in entries if path.is_file() or any(path.rglob("*.py"))}  # not what a build left
    assert len(seen) <= ENTRIES, sorted(seen)


def test_circles_are_those_that_are_known():
    assert sorted(map(sorted, circles(arrows()))) == sorted(map(sorted, CIRCLES))


def test_a_circle_is_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]


NAMES_IT = {"machine/architectures.py"}
"""Files outside of its folder that name an architecture, or a target of it: the one that lists all. Its known machines
name theirs, each in a file of its own; the README, docs and tests are not asked."""


def test_an_architecture_is_named_in_its_folder_and_where_all_are_listed():
    from griotte.machine.arm import ARM

    words = re.compile(rf"(?<![a-z])({'|'.join((ARM.name, *ARM.bases, *ARM.compiled.machines))}|armv\d)(?![a-z])", re.I)
    texts = {
        path: path.read_bytes().decode(errors="replace") for path in (SOURCE / "griotte").rglob("*") if path.is_file()
    }
    found = {name(path) for path, text in texts.items() if path.suffix not in (".pyc", ".table") and words.search(text)}
    outside = {each for each in found if not each.startswith(("machine/arm/", "machine/machines/"))}
    assert outside == NAMES_IT


def test_lazy_imports_are_counted():
    """Raise the number where a new one is meant, and say there why it is lazy."""
    found = Counter(one.source for path in files() for one in imports(path) if one.is_lazy)
    assert sum(found.values()) <= LAZY, found.most_common()


def defined(path: Path) -> list[str]:
    """The names of a file's classes and, by how they are written, of its types (`Sizes = Mapping[str, Any]`)."""
    tree = parsed(path)
    types = [
        node.targets[0].id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    ]
    return [node.name for node, _ in statements(tree) if isinstance(node, ast.ClassDef)] + [
        name for name in types if re.fullmatch("_?[A-Z]+[a-z][A-Za-z]*", name)
    ]


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many a function takes, `self` and what is gathered left out."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def test_functions_of_many_parameters_are_counted():
    """Lower the number where one takes fewer: what many carry together is an object, such as a Session."""
    found = [
        f"{name(path)}: {node.name} takes {parameters(node)}"
        for path in files()
        for node in ast.walk(parsed(path))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and parameters(node) > PARAMETERS
    ]
    assert len(found) <= MANY, found


def test_a_name_stands_for_one_class():
    names = Counter(found for path in files() for found in defined(path))
    twice = sorted(found for found, count in names.items() if count > 1)
    assert len(twice) <= TWICE, twice

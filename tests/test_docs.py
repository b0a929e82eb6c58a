"""The documentation is run: code blocks, links, and the lists that must be complete."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from griotte.engine import rewrites
from griotte.lang.constructors.forms import forms
from griotte.lang.types.dtypes import DTYPES
from griotte.support import errors

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "benchmarks").glob("*.md"),
        *(ROOT / "benchmarks/results").glob("*.md"),
    ]
)
SKIP = "<!-- not run -->"
FENCE = re.compile(r"^(?P<before>[^\n]*)\n\n?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
LINK = re.compile(r"\[[^\]\n]+\]\((?P<to>[^)\s]+)\)")  # pictures too


def page_name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def python_blocks(text: str) -> list[tuple[int, str]]:
    """(line, text) of every ```python block that is to be run."""
    found = [m for m in FENCE.finditer("\n" + text) if m["language"] == "python" and m["before"].strip() != SKIP]
    return [(text.count("\n", 0, m.start("text") - 1) + 1, m["text"]) for m in found]


def prose(text: str) -> str:
    """The page without its code blocks."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def anchors(text: str) -> set[str]:
    """The names that a heading can be linked by."""
    titles = re.findall(r"^#+ (.+)$", prose(text), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


RUN = [page for page in PAGES if python_blocks(page.read_text())]


@pytest.mark.parametrize("page", RUN, ids=page_name)
def test_python_blocks_run(page, tmp_path, monkeypatch):
    """Blocks of a page run in order, in one namespace, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__docs__"}
    for line, block in python_blocks(page.read_text()):
        # so that errors show the page's line
        code = compile("\n" * (line - 1) + block, str(page), "exec", dont_inherit=True)
        exec(code, namespace)


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_relative_links_exist(page):
    broken = []
    for match in LINK.finditer(prose(page.read_text())):
        path, _, anchor = match["to"].partition("#")
        if re.match(r"\w+:", path):
            continue
        to = (page.parent / path) if path else page
        if not to.exists() or (anchor and to.suffix == ".md" and anchor not in anchors(to.read_text())):
            broken.append(match["to"])
    assert not broken


def test_every_error_has_its_section():
    classes = {name for name in errors.__all__ if name != "GriotteError"}
    assert {name.lower() for name in classes} <= anchors((ROOT / "docs/reference/errors.md").read_text())


def test_every_operation_is_in_the_reference():
    page = (ROOT / "docs/reference/specs.md").read_text()
    assert not [name for name in forms() if not re.search(rf"`{name}[`(]", page)]
    assert not [name for name in DTYPES if not re.search(rf"\b{name}\b", page)]


READ = re.compile(r'environ(?:\.get\(|\[)"(\w+)"|^\w+ = "(GRIOTTE_\w+)"$', re.M)
"""A variable of the environment that is read, by its name or by that of a constant."""


def variables() -> set[str]:
    texts = [path.read_text() for path in (ROOT / "src/griotte").rglob("*.py")]
    return {one or other for text in texts for one, other in READ.findall(text)}


def test_every_variable_is_in_the_reference():
    page = (ROOT / "docs/reference/json.md").read_text()
    assert {"GRIOTTE_CACHE", "GRIOTTE_CPU", "CC"} <= variables()
    assert not [name for name in variables() - {"PATH"} if f"`{name}" not in page]


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text().split()) <= 500


# Which rewrite one is


@cache
def rewrite_classes() -> set[str]:
    """Rewrite, and all that are one."""
    return {
        name
        for name, found in vars(rewrites).items()
        if isinstance(found, type) and issubclass(found, rewrites.Rewrite)
    }


def bound_to_rewrites(tree: ast.Module) -> set[str]:
    """The names by which a module outside the room knows classes of rewrites."""
    froms = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and "rewrites" in node.module.split(".")
    ]
    return {alias.asname or alias.name for node in froms for alias in node.names if alias.name in rewrite_classes()}


def asked_for_their_kind(tree: ast.Module) -> list[int]:
    """The lines where a class of rewrites is more than called or named as an annotation, or where the type of a rewrite
    is asked for."""
    known, nodes = bound_to_rewrites(tree), list(ast.walk(tree))
    unions = [
        node for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp)
    ]  # types by a name of their own
    known |= {
        target.id
        for union in unions
        for target in union.targets
        if known & {n.id for n in ast.walk(union.value) if isinstance(n, ast.Name)}
    }
    annotations = [union.value for union in unions] + [
        found
        for node in nodes
        for found in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if found is not None
    ]
    free = (
        {id(target) for union in unions for target in union.targets}
        | {id(inner) for annotation in annotations for inner in ast.walk(annotation)}
        | {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    )
    is_class = lambda node: (
        isinstance(node, ast.Name)
        and node.id in known
        or isinstance(node, ast.Attribute)
        and node.attr in rewrite_classes()
        and ast.unparse(node.value).endswith("rewrites")
    )
    is_rewrite = lambda node: ast.unparse(node).split(".")[-1] == "rewrite"
    types = [
        node.args[0]
        for node in nodes
        if isinstance(node, ast.Call)
        and node.args
        and isinstance(node.func, ast.Name)
        and node.func.id in ("type", "isinstance", "issubclass")
    ]
    types += [node.value for node in nodes if isinstance(node, ast.Attribute) and node.attr == "__class__"]
    return sorted(
        {node.lineno for node in nodes if is_class(node) and id(node) not in free}
        | {node.lineno for node in types if is_rewrite(node)}
    )


def test_nothing_outside_the_room_asks_which_rewrite_one_is():
    """It may make one, and ask it what it declares."""
    source = ROOT / "src/griotte"
    texts = {path: path.read_text() for path in source.rglob("*.py") if path.parent != source / "engine/rewrites"}
    found = {
        str(path.relative_to(source)): asked_for_their_kind(ast.parse(text))
        for path, text in texts.items()
        if "rewrite" in text  # to know a class of them, or to ask one for its type, takes the word
    }
    assert not {path: lines for path, lines in found.items() if lines}


ASKS = {
    "isinstance": "from ..rewrites import Move\nisinstance(x, Move)",
    "another name": "from .rewrites.move import Move as Moving\nisinstance(x, (int, Moving))",
    "a pattern": "from ..rewrites import Tile\nmatch x:\n    case Tile(dim=d): pass",
    "types compared": "from ..rewrites import Tile\ntype(x) is Tile",
    "through the room": "from .. import rewrites\nisinstance(x, rewrites.Tile)",
    "a union": "from ..rewrites import Tile\nWay = Tile | int\nisinstance(x, Way)",
    "passed on": "from ..rewrites import Skip, offered\noffered(Skip, x)",
    "a name compared": "type(node.rewrite).__name__ == 'Tile'",
    "its class": "node.rewrite.__class__",
}


@pytest.mark.parametrize("text", ASKS.values(), ids=ASKS)
def test_that_is_seen(text):
    assert asked_for_their_kind(ast.parse(text))


def test_making_one_is_no_question():
    text = (
        "from ..rewrites import Move, Tile\nfrom ..program import nodes\ndef f(x: Tile | None) -> list[Move]:\n   "
        " return [Move(0, x)] if isinstance(x, nodes.Move) else []"
    )
    assert not asked_for_their_kind(ast.parse(text))

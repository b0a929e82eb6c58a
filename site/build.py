"""The site's pages, made of the documentation: copied into a folder, with pages for the files that they link to, and
with references made of the program itself. `make site` then builds them.

    pages(root, to)   README as the first page, docs/, the changes, the lab's notes
    sources           each file of the repository that a page links to, as a page of its own, so that the site is whole
    commands          every command of `griotte` with its help, from click
    python            the public names, from their docstrings
    finish(site)      what the built site would load from elsewhere, beside its pages
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import click

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(?P<head>\]\()(?P<to>[^)\s]+)(?P<tail>\))")
FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
LANGUAGES = {".py": "python", ".c": "c", ".h": "c", ".hpp": "cpp", ".cpp": "cpp", ".toml": "toml", ".sh": "sh"}
PICTURES = (".svg", ".png")
SHIM, WORKER = "https://unpkg.com/iframe-worker/shim", "frame-worker.js"
"""What the theme loads where pages are opened as files, and what takes its place."""
UNSEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"


class Pages:
    """The pages of a site: files of the repository by the place that each has there."""

    def __init__(self, root: Path, to: Path):
        self.root, self.to = root, to
        top = {"README.md": "index.md", "CHANGELOG.md": "CHANGELOG.md", "CONTRIBUTING.md": "CONTRIBUTING.md"}
        self.places = {root / name: to / place for name, place in top.items()}
        self.places |= {page: to / page.relative_to(root / "docs") for page in sorted((root / "docs").rglob("*.md"))}
        for folder in ("benchmarks", "benchmarks/results"):
            self.places |= {page: to / page.relative_to(root) for page in sorted((root / folder).glob("*.md"))}
        self._linked: dict[Path, Path] = {}

    def write(self) -> None:
        """All of them."""
        for page, place in self.places.items():
            _write(place, self._relinked(page, place))
        for path, place in self._linked.items():
            if path.suffix in PICTURES:
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, place)
            else:
                _write(place, _source(path, path.relative_to(self.root)))

    def _relinked(self, page: Path, place: Path) -> str:
        """A page whose links lead to where their files are on the site."""
        text, ends = page.read_text(), []
        for fence in FENCE.finditer(text):
            ends += [fence.start(), fence.end()]
        cuts = [0, *ends, len(text)]
        parts = [text[a:b] for a, b in pairwise(cuts)]
        relink = lambda match: match["head"] + self._to(match["to"], page, place) + match["tail"]
        return "".join(part if n % 2 else LINK.sub(relink, part) for n, part in enumerate(parts))

    def _to(self, to: str, page: Path, place: Path) -> str:
        path, mark, anchor = to.partition("#")
        if not path or re.match(r"\w+:", to):
            return to
        found = (page.parent / path).resolve()
        there = self.places.get(found) or self._linked.setdefault(found, self._place(found))
        return os.path.relpath(there, place.parent) + mark + anchor

    def _place(self, path: Path) -> Path:
        name = path.relative_to(self.root)
        return self.to / "source" / name.parent / (name.name if path.suffix in PICTURES else f"{name.name}.md")


def _source(path: Path, name: Path) -> str:
    """A file of the repository as a page; of a folder the names of what is in it."""
    if path.is_dir():
        names = sorted(each.name for each in path.iterdir() if not each.name.startswith(("_", ".")))
        body = "\n".join(f"- `{each}`" for each in names)
    else:
        data = path.read_bytes()
        try:
            body = f"````{LANGUAGES.get(path.suffix, '')}\n{data.decode()}````"
        except UnicodeDecodeError:
            body = f"{len(data):,} bytes of data."
    return f"{UNSEARCHED}# {name}\n\n{body}\n"


def commands() -> str:
    """Every command with its help, as the terminal shows it."""
    from griotte.tools.cli import main

    text = ["# Command line\n", "`griotte --help` and `griotte VERB --help` show what stands here.\n"]
    text += [f"{'#' * (1 + depth)} `{name}`\n\n```text\n{told}\n```\n" for name, depth, told in _commands(main)]
    return "\n".join(text)


def _commands(command: click.Command, name: str = "griotte", depth: int = 1) -> Iterator[tuple[str, int, str]]:
    context = click.Context(command, info_name=name, max_content_width=100)
    yield name, depth, command.get_help(context)
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            if found is not None and not found.hidden:
                yield from _commands(found, f"{name} {inner}", depth + 1)


def python() -> str:
    """The public names, each by its docstring."""
    return "# Python\n\n::: griotte\n    options:\n      members_order: alphabetical\n"


def finish(site: Path) -> None:
    """What a built site loads from elsewhere comes with it: search works where there is no network."""
    shutil.copy(Path(__file__).parent / WORKER, site / "assets" / WORKER)
    for page in site.rglob("*.html"):
        to_assets = os.path.relpath(site / "assets", page.parent)
        page.write_text(page.read_text().replace(SHIM, f"{to_assets}/{WORKER}"))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def build(root: Path, to: Path) -> None:
    """All pages, into an empty folder."""
    shutil.rmtree(to, ignore_errors=True)
    Pages(root, to).write()
    _write(to / "reference/commands.md", commands())
    _write(to / "reference/python.md", python())


if __name__ == "__main__":
    if sys.argv[1] == "--finish":
        finish(Path(sys.argv[2]))
    else:
        build(ROOT, Path(sys.argv[1]))

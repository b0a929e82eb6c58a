"""The documentation is in plain English: sentences of at most 32 words, without turns that want a noun, on short pages.
`python tests/test_prose.py [PAGE ..]` lists what fails."""

from __future__ import annotations

import sys
from pathlib import Path

import prose
import pytest

ROOT = Path(__file__).parents[1]
MOST = 32_000
"""Words of the site without the lab and the reference."""
LONG_PAGE = 2_500
"""Words of a page, at most; of the site without the lab's notes."""
PARTS = ("tutorials", "howto", "explanation", "gallery")
READ = [ROOT / "README.md", *(page for part in PARTS for page in sorted((ROOT / "docs" / part).rglob("*.md")))]
PAGES = [
    *READ,
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "docs/lab/README.md",
    *sorted((ROOT / "docs/reference").glob("*.md")),
]


def page_name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def faults(text: str) -> list[str]:
    """What a reader stumbles over."""
    long = [(line, prose.length(said), said) for line, said in prose.sentences(text)]
    found = [f"line {line}: {n} words: {said}" for line, n, said in long if n > prose.LONGEST]
    return found + [f'line {line}: "{turn}"' for line, turn in prose.turned(text)]


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_sentences_are_short_and_plain(page):
    assert not faults(page.read_text())


SOURCES = sorted((ROOT / "src").rglob("*.py"))


@pytest.mark.parametrize("room", sorted({path.parent for path in SOURCES}), ids=page_name)
def test_docstrings_and_comments_are_plain(room):
    found = []
    for path in SOURCES:
        if path.parent == room:
            text = path.read_text()
            told = [*prose.docstrings(text), *prose.comments(text)]
            found += [f"{path.name}:{line}: {fault}" for line, page in told for fault in faults(page)]
    assert not found


def test_the_book_is_short():
    counts = {page_name(page): prose.words(page.read_text()) for page in READ}
    assert sum(counts.values()) <= MOST, counts


def test_pages_are_short():
    counts = {page_name(page): prose.words(page.read_text()) for page in PAGES}
    assert not {name: count for name, count in counts.items() if count > LONG_PAGE}


LONG = " ".join(["word"] * 33) + "."


@pytest.mark.parametrize(
    ("text", "many"),
    [
        (LONG, 1),
        (f"Short.\n{LONG}", 1),
        (f"- {LONG}\n- {LONG}", 2),
        (f"# {LONG[:-1]}\ntext", 1),
        (LONG.replace("word word", "word. Word", 1), 0),
        (f"```text\n{LONG}\n```", 0),
        (f"| {LONG} |", 0),
        (f"> {LONG}", 0),
        ("`" + LONG + "`", 0),
        ("What\nis there", 1),
        ("`what is`", 0),
        ("one of which, is told", 2),
        ("[word word](to/there.md)", 0),
    ],
)
def test_that_is_counted(text, many):
    assert len(faults(text)) == many


def test_words_are_counted():
    assert prose.words("| a | 2 x |\n|---|---|\n```sh\nrun = 1\n```") == 6


if __name__ == "__main__":
    for page in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
        for fault in faults(page.read_text()):
            print(f"{page_name(page)}: {fault}")
    print(sum(prose.words(page.read_text()) for page in READ), "words without reference and lab")

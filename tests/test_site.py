"""The site's pages: links of the documentation lead to pages that are there, code is left as it is."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"\]\(([^)\s#]+)")


@pytest.fixture(scope="module")
def build():
    spec = importlib.util.spec_from_file_location("site_build", ROOT / "site/build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages(build, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "pages"
    build.build(ROOT, folder)
    return folder


def test_every_link_leads_to_a_page_of_the_site(build, pages):
    broken = []
    for page in pages.rglob("*.md"):
        if "source" not in page.relative_to(pages).parts:
            prose = build.FENCE.sub("", page.read_text())
            broken += [
                (page.name, to)
                for to in LINK.findall(prose)
                if not re.match(r"\w+:", to) and not (page.parent / to).exists()
            ]
    assert not broken


def test_code_is_left_as_it_is(build, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (tmp_path / "src.py").write_text("x = 1\n")
    text = "[a](../src.py) [b](#here) [c](https://x.org/y)\n\n```text\n[a](../src.py)\n```\n\n![d](e.svg)\n"
    (docs / "page.md").write_text(text)
    (docs / "e.svg").write_text("<svg/>")
    for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md"):
        (tmp_path / name).write_text("[p](docs/page.md#here)\n")
    build.Pages(tmp_path, tmp_path / "to").write()
    made = (tmp_path / "to/page.md").read_text()
    wanted = text.replace("[a](../src.py) ", "[a](source/src.py.md) ").replace("(e.svg)", "(source/docs/e.svg)")
    assert made == wanted and (tmp_path / "to/source/docs/e.svg").exists()
    assert "x = 1\n" in (tmp_path / "to/source/src.py.md").read_text()
    assert (tmp_path / "to/index.md").read_text() == "[p](page.md#here)\n"


def test_every_page_of_the_documentation_is_on_the_site(build, pages):
    places = {str(path.relative_to(pages)) for path in pages.rglob("*.md")}
    written = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    assert written <= places
    menu = (ROOT / "site/zensical.toml").read_text()
    assert not [name for name in written if not name.startswith("lab/") and f'"{name}"' not in menu]
    assert all((pages / to).exists() for to in re.findall(r'= "([\w/.-]+\.md)"', menu))


def test_every_command_is_there(pages):
    text = (pages / "reference/commands.md").read_text()
    assert all(f"`griotte {verb}`" in text for verb in ("compile", "bench", "table export", "learn fit", "doctor"))


def test_a_built_site_loads_nothing_from_elsewhere(build, tmp_path):
    (tmp_path / "assets").mkdir()
    (tmp_path / "lab").mkdir()
    for name in ("index.html", "lab/page.html"):
        (tmp_path / name).write_text(f'<script src="{build.SHIM}"></script>')
    build.finish(tmp_path)
    texts = [(tmp_path / name).read_text() for name in ("index.html", "lab/page.html")]
    assert texts == [f'<script src="{to}/{build.WORKER}"></script>' for to in ("assets", "../assets")]
    assert (tmp_path / "assets" / build.WORKER).exists()


def test_data_is_named_with_its_size(build, tmp_path):
    (tmp_path / "x.npz").write_bytes(b"PK\x9d\x00")
    assert build._source(tmp_path / "x.npz", Path("x.npz")).endswith("# x.npz\n\n4 bytes of data.\n")

"""Maps show what the table says: every cell, every box; the page needs nothing else and runs nothing that it is
given."""

import base64
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import permutations, product
from types import SimpleNamespace

import griotte as gt
import numpy as np
import pytest
from click.testing import CliRunner
from griotte.compiler.reports.map import SHARES, table_map
from griotte.compiler.reports.map_html import page
from griotte.compiler.reports.map_words import colours, ink, oklch
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search import limits
from griotte.engine.search.solved import Solved
from griotte.engine.search.space import Space
from griotte.engine.table import FREE
from griotte.engine.table.store import Store
from griotte.tools.cli import main
from machines import DESCRIPTIONS, machine

MATMUL = "matmul(f32[5,4], f32[4,7])"
SMALL = "matmul(f32[3,4], f32[4,5])"  # for what is refused whatever the families are


@pytest.fixture(scope="module")
def target():
    return machine("narrow")


@pytest.fixture(scope="module")
def store(target, tmp_path_factory):
    return Store(tmp_path_factory.mktemp("table") / "t.griotte", target)


@pytest.fixture(scope="module")
def shown(target, store):
    return table_map(gt.parse(MATMUL), target, store=store)


@pytest.fixture(scope="module")
def truth(shown, target, store):
    """The table itself, and what fits where."""
    solved = Solved(canonical_form(gt.parse(MATMUL)), target, store=store)
    return solved.table, Space(target, solved.start.home, solved.start.ladders)


def chosen(shown):
    """Some families: those with the most boxes, one of each set of axes, with limits or without, and some where there
    is no program."""
    first = {tuple(axis.name for axis in found.axes): found for found in reversed(shown.families)}
    return [*shown.families[:3], *first.values(), *[found for found in shown.families if -1 in found.words][:2]]


def planes(found, pairs=None):
    """Every plane of a family, or those of some pairs of axes."""
    for x, y in pairs or permutations([axis.name for axis in found.axes], 2):
        others = [axis for axis in found.axes if axis.name not in (x, y)]
        for at in product(*(range(len(axis.ticks)) for axis in others)):
            yield found.plane(x, y, {axis.name: c for axis, c in zip(others, at)})


# What a plane says -----------------------------------------------------------------------


def test_every_cell_is_the_tables_decision(shown, truth):
    table, space = truth
    seen = set()
    for found in chosen(shown):
        rank, asked = len(found.family.operation.dims), 0
        x, y, *_ = (axis.name for axis in found.axes)
        for plane in planes(found, [(x, y)]):
            for (j, i), decision in np.ndenumerate(plane.decision):
                where = (i, j, *plane.at.values())
                sizes = tuple(int(axis.ticks[c]) for axis, c in zip(found.axes[:rank], where))
                if not space.holds(found.family, sizes):
                    assert decision == FREE
                    continue
                assert decision == table.decision(
                    found.family, sizes, limits.axes(space.target, space.home, found.family), limits.index(where[rank:])
                )
                asked += 1
                seen.add(int(decision) == -1)
        assert asked == found.cells
    assert seen == {True, False}  # with programs, and without


def test_boxes_partition_every_plane(shown):
    count = 0
    for found in chosen(shown):
        for plane in planes(found):
            painted = np.full(plane.decision.shape, FREE, np.int64)
            over = np.zeros(plane.decision.shape, int)
            for x0, x1, y0, y1, code in plane.sections:
                painted[y0:y1, x0:x1] = code
                over[y0:y1, x0:x1] += 1
            fits = plane.decision != FREE
            assert over.max(initial=0) <= 1 and (over[fits] == 1).all()
            assert (painted[fits] == plane.decision[fits]).all()
            assert sum(plane.counts.values()) == fits.sum() and set(plane.counts) <= set(found.words)
            count += 1
    assert count > 500


def test_sums_are_the_tables(shown, truth):
    table, _ = truth
    for found in shown.families:
        (patch,) = table.patches(found.family)
        assert (found.cells, found.count) == (patch.points, len(patch.boxes.value))
    assert (shown.cells, shown.count) == (table.points, sum(found.count for found in shown.families))
    assert [f.count for f in shown.families] == sorted((f.count for f in shown.families), reverse=True)


def test_a_table_of_other_sizes_answers_as_far_as_it_goes(target, tmp_path):
    """Boxes of a larger problem are covered anew for a smaller one's ladders; nothing is solved where all is known."""
    store = Store(tmp_path / "t.griotte", target)
    table_map(gt.parse("matmul(f32[12,8], f32[8,16])"), target, store=store)
    alone, reused = (
        table_map(gt.parse("matmul(f32[6,8], f32[8,8])"), target),
        table_map(gt.parse("matmul(f32[6,8], f32[8,8])"), target, store=store),
    )
    assert (alone.cells, len(alone.families)) == (reused.cells, len(reused.families))
    text = {found.family: found for found in alone.families}
    for found in [f for f in reused.families if len(f.axes) > 2][::20]:
        x, y, *_ = (axis.name for axis in found.axes)
        for plane in planes(found, [(x, y)]):
            other = text[found.family].plane(plane.x.name, plane.y.name, plane.at)
            assert (plane.decision == other.decision).all()


def test_words_are_the_printers(target):
    shown = table_map(gt.parse("matmul(f32[40,36], f32[36,48])"), machine("portable"))
    words = {word.text for found in shown.families for word in found.words.values()}
    program = gt.synthesize("matmul(f32[40,36], f32[36,48])", machine("portable"), table="none")
    assert {"loop m by 12", "registers y, lanes along n", "leaf multiply_add, lanes along n", "no program"} <= words
    lines = re.findall(r"(?:loop|view|copy) .*", str(program))
    assert lines
    for line in lines:
        assert re.sub(r" \d+(x\d+)* ->", " ->", line.strip()) in words


def test_a_view_is_told_from_a_copy_and_a_constant_that_is_placed_ahead_from_both(target):
    shown = table_map(gt.parse("matmul(f32[7,6], const f32[6,9])"), target)
    words = {(word.kind, word.text) for found in shown.families for word in found.words.values()}
    assert {
        ("view 1", "view x1 -> L1"),
        ("copy", "copy x1 -> L1, panels of 8"),
        ("copy", "ahead x1, as given"),
        ("copy", "ahead x1, panels of 8 f32"),
    } <= words
    assert not any(kind == "copy" and text == "copy x1 -> L1" for kind, text in words)


def test_the_telling_plane_shows_the_most_decisions(shown):
    found = shown.families[0]
    x, y, z, *_ = (axis.name for axis in found.axes)
    best = found.plane(x, y, found.busiest(x, y, {}))
    assert len(best.counts) == max(len(p.counts) for p in planes(found, [(x, y)]))
    assert found.busiest(x, y, {z: 1})[z] == 1


def test_colours():
    shown = table_map(gt.parse(MATMUL), machine("portable"))
    shades = colours({word for found in shown.families for word in found.words.values()})
    assert len(set(shades.values())) == len(shades)
    assert oklch(1, 0, 0) == "#ffffff" and oklch(0, 0, 0) == "#000000"
    assert (ink("#ffffff"), ink("#000000")) == ("#000000", "#ffffff")


# The page ----------------------------------------------------------------------------------

VOID = {"meta", "input", "br"}


class Page(HTMLParser):
    """Tags that open and close in order; every script's and style's text; every attribute."""

    def __init__(self, text):
        super().__init__()
        self.open, self.attributes, self.texts, self.tags = [], [], {}, []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(text)


def content(text):
    """The JSON of a page."""
    return json.loads("".join(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1]))


def at_start(shown):
    found = shown.families[0]
    return found.plane("m", "n", found.busiest("m", "n", {}))


def test_the_page_is_whole_and_needs_nothing_else(shown):
    text = page(shown, at_start(shown))
    found = Page(text)
    assert text.startswith("<!doctype html>") and found.tags.count("script") == 2
    assert not {name for name, _ in found.attributes} & {"src", "href", "onload", "onerror"}
    assert "{{" not in text and not re.search(
        r"@import|url\((?!#)|fetch\(|XMLHttp|import\(|innerHTML|eval\(", text.replace("url(#hatch)", "")
    )
    assert ("content", "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'") in found.attributes
    assert "prefers-color-scheme: dark" in text
    assert re.findall(r"https?://[^\"']+", text) == ["http://www.w3.org/2000/svg"]  # a name, not an address


def test_the_page_holds_every_decision(shown):
    """The boxes, masks and words of the JSON, read as the page reads them."""
    held = content(page(shown, at_start(shown)))
    assert (held["cells"], held["boxes"], held["count"]) == (shown.cells, shown.count, len(shown.families))
    maps = [found for found in shown.families if len(found.axes) > 1]
    assert len(held["families"]) == len(maps) and held["left_out"] == len(shown.families) - len(maps)
    for found, packed in zip(maps, held["families"]):
        assert packed["text"] == found.text and packed["axes"] == [axis.name for axis in found.axes]
        columns = np.frombuffer(base64.b64decode(packed["data"]), "<u2" if packed["wide"] else "u1").reshape(
            -1, packed["boxes"]
        )
        rank = len(packed["axes"])
        assert (columns[:rank].T == found.boxes.low).all() and (columns[rank : 2 * rank].T == found.boxes.high).all()
        said = [held["words"][packed["words"][k]][0] for k in columns[-1]]
        assert said == [found.words[int(code)].text for code in found.boxes.value]
        bits = np.unpackbits(
            np.frombuffer(base64.b64decode(held["masks"][packed["mask"]]), np.uint8), bitorder="little"
        )
        assert (bits[: found.fits.size].astype(bool) == found.fits.reshape(-1)).all()
        assert all(held["ladders"][axis.name] == [list(axis.ticks), axis.ticks == SHARES] for axis in found.axes)
    start = held["start"]
    assert held["families"][start["family"]]["text"] == shown.families[0].text and (start["x"], start["y"]) == (
        "m",
        "n",
    )


def test_hostile_text_stays_text(shown):
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>&\u2028'\""
    text = page(replace(shown, spec=evil, target=evil, levels=(evil, *shown.levels[1:])), at_start(shown))
    found = Page(text)
    assert (
        found.tags.count("script") == 2 and "img" not in found.tags and "\u2028" not in "".join(found.texts["script"])
    )
    assert content(text)["spec"] == evil and content(text)["levels"][0] == evil
    assert f"{evil} on {evil}" in found.texts["title"]


def test_families_beyond_the_largest_page_are_left_out(shown, monkeypatch):
    monkeypatch.setattr("griotte.compiler.reports.map_html.LARGEST", 5_000)
    plane = shown.families[60].plane("m", "n", shown.families[60].busiest("m", "n", {}))
    text = page(shown, plane)
    held = content(text)
    assert 1 < len(held["families"]) < len(shown.families) and held["left_out"] == len(shown.families) - len(
        held["families"]
    )
    assert held["families"][held["start"]["family"]]["text"] == shown.families[60].text


# The command ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def call(tmp_path_factory):
    folder = tmp_path_factory.mktemp("maps")
    (folder / "narrow.toml").write_text(f'name = "narrow"\n{DESCRIPTIONS["narrow"]}')

    def run(*words, spec=MATMUL, status=0):
        given = ["--target", str(folder / "narrow.toml"), "--table", str(folder / "t.griotte")]
        result = CliRunner().invoke(main, ["table", "map", spec, *given, *words])
        assert result.exit_code == status, result.output + str(result.exception)
        return result

    return SimpleNamespace(run=run, folder=folder, refused=lambda *words, **more: run(*words, status=2, **more).stderr)


def test_a_page_and_a_picture(call):
    pytest.importorskip("matplotlib")
    from PIL import Image

    assert "wrote" in call.run("--x", "m", "--y", "n", "-o", str(call.folder / "m.html")).stdout
    assert Page((call.folder / "m.html").read_text())
    told = json.loads(
        call.run("--x", "m", "--y", "n", "--at", "k=4", "-o", str(call.folder / "m.png"), "--json").stdout
    )
    assert (
        told["plane"]["at"] == {"k": "4"} and told["plane"]["decisions"] > 1 and told["boxes"] > told["families"] > 100
    )
    data = (call.folder / "m.png").read_bytes()
    pixels = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) < 150_000
    assert pixels.shape[0] > 500 and len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20


def test_a_limit_is_held(call):
    words = ("--family", "1", "--x", "n", "--y", "k", "--limit", "L1=0.5", "-o", str(call.folder / "l.html"))
    told = json.loads(call.run(*words, "--json").stdout)
    assert told["plane"]["at"]["L1"] == "1/2" and (told["plane"]["x"], told["plane"]["y"]) == ("n", "k")
    assert "1/2 of L1 left" in call.run(*words).stdout
    assert (
        json.loads(call.run("--limit", "L1=1/8", "-o", str(call.folder / "l.html"), "--json").stdout)["plane"]["at"][
            "L1"
        ]
        == "1/8"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--x", "q", "--y", "n"), "expected axes that one family has (.*), found q n; name some"),
        (("--family", "1", "--x", "q"), r"expected an axis of matmul.*, found 'q'; name one"),
        (("--x", "m", "--y", "m"), "expected two different axes, found m for both --x and --y; name another of m n k"),
        (("--at", "k=5000"), r"expected k=a size on its ladder \(1 2 .*\), found k=5000; take one of these"),
        (("--at", "k"), "expected --at with NAME=VALUE, found 'k'; such as --at k=64"),
        (("--x", "m", "--at", "m=4"), "expected --at and --limit for axes other than m and n, found m=4"),
        (("--family", "1", "--limit", "L1=0.6"), r"expected L1=a share of it that is left \(0 1/8 .*\), found L1=0.6"),
        (("--at", "k=1/0"), "found k=1/0"),
        (("--family", "99999"), r"expected --family from 1 to \d+, found 99999"),
        (("--family", "conv"), "expected goal, a number or a part of a family's text for --family, found 'conv'"),
    ],
)
def test_refusals(call, words, message):
    assert re.search(
        message, call.refused("-o", str(call.folder / "x.html"), *words, spec=MATMUL if "--family" in words else SMALL)
    )
    assert not (call.folder / "x.html").exists()


def test_other_refusals(call, monkeypatch):
    assert "expected -o with a name that ends in .html or .png, found m.pdf; name such a file" in call.refused(
        "-o", "m.pdf"
    )
    assert "expected a family with two axes" in call.refused("-o", str(call.folder / "x.html"), spec="exp(f32[33])")
    assert "expected to write /proc/x.html" in call.refused("-o", "/proc/x.html")
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    assert "expected matplotlib to draw a .png, found none; pip install 'griotte[plot]'" in call.refused(
        "-o", str(call.folder / "x.png")
    )


def test_a_graph_has_maps(tmp_path):
    """Its families have axes of their own; what is between is called by what computes it."""
    shown = table_map(gt.parse("softmax(f32[8,64])"), machine("avx512"))
    words = {word.text for family in shown.families for word in family.words.values()}
    assert {"buffer max -> L1", "inline exp"} & words and not any(re.search(r"\bt\d", word) for word in words)
    for name in ("m.html", "m.png"):
        found = CliRunner().invoke(
            main,
            ["table", "map", "softmax(f32[8,64])", "--target", "avx512", "--table", "none", "-o", str(tmp_path / name)],
        )
        assert found.exit_code == 0 and (tmp_path / name).stat().st_size > 1000, found.output

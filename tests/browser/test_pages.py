"""Pages and fragments in a real browser: light and dark, 1400 and 400 pixels wide. Nothing sticks out sideways, no word
of a drawing is cut off, and the reader's colours are used.

One browser shows each page in four frames; a frame has the colours that the element around it asks for.
"""

from __future__ import annotations

import re
from html import escape, unescape

import griotte as gt
import pytest
from griotte.models.graph import GraphBuilder
from headless import found_on, needs_browser, opened

WINDOW = "--window-size=1500,2000"
WIDTHS, SCHEMES = (1400, 400), ("light", "dark")
SPEC = "gelu(add(matmul(f32[96,64], const f32[64,128]), f32[128]))"

pytestmark = needs_browser

FRAMES = """<!doctype html><meta charset="utf-8"><title>pages</title><body>
{frames}
<pre id="found"></pre>
<script>
onload = () => {{
  const found = {{}}
  for (const frame of document.querySelectorAll("iframe")) {{
    const page = frame.contentDocument, width = page.documentElement.clientWidth
    const cut = []
    for (const text of page.querySelectorAll("svg text")) {{
      const box = text.getBBox(), view = text.ownerSVGElement.viewBox.baseVal
      if (box.x < -1 || box.x + box.width > view.width + 1 || box.y < -1 || box.y + box.height > view.height + 1)
        cut.push(text.textContent)
    }}
    found[frame.id] = {{
      over: page.documentElement.scrollWidth - width, cut, letters: page.body.innerText.length,
      ground: frame.contentWindow.getComputedStyle(page.body).backgroundColor,
      ink: frame.contentWindow.getComputedStyle(page.body).color,
      marks: [...page.styleSheets].reduce((sum, sheet) => sum + sheet.cssRules.length, 0)
    }}
  }}
  document.getElementById("found").textContent = JSON.stringify(found)
}}
</script>
"""


def model():
    b = GraphBuilder()
    h = b.call("softmax", b.input(gt.tensor((2, 3, 4)), "x"))
    both = b.call("concat", h, b.call("softmax", h), axis=1)
    return gt.synthesize(b.graph({"y": b.call("exp", both), "z": b.call("sum", h, axis=2)}), effort=1)


def bare(fragment: str) -> str:
    """A fragment as a notebook has it: a page of its own is shown as it is, anything else in an empty page."""
    inner = re.search(r'srcdoc="([^"]*)"', fragment)
    return unescape(inner[1]) if inner else f"<!doctype html><body>{fragment}</body>"


PAGES = {
    "spec": lambda: bare(gt.parse(SPEC)._repr_html_()),
    "program": lambda: bare(gt.synthesize(SPEC)._repr_html_()),
    "one nest": lambda: bare(gt.synthesize("matmul(f32[130,70], f32[70,90])", threads=2)._repr_html_()),
    "dynamic": lambda: bare(gt.synthesize("softmax(f32[<=8,5])")._repr_html_()),
    "kernel": lambda: bare(gt.compile(SPEC)._repr_html_()),
    "model": lambda: bare(model()._repr_html_()),
}


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What the browser says of each frame, by page, width and scheme; and a screenshot of all."""
    folder = tmp_path_factory.mktemp("pages")
    pages = {name: escape(make()) for name, make in PAGES.items()}
    frame = '<iframe id="{}" srcdoc="{}" style="width: {}px; height: 900px; border: 0; color-scheme: {}"></iframe>'
    frames = [
        frame.format(f"{name}/{width}/{scheme}", page, width, scheme)
        for name, page in pages.items()
        for width in WIDTHS
        for scheme in SCHEMES
    ]
    (folder / "all.html").write_text(FRAMES.format(frames="\n".join(frames)))
    opened(folder / "all.html", WINDOW, f"--screenshot={folder / 'all.png'}")
    return found_on(folder / "all.html", WINDOW), folder / "all.png"


CASES = [(name, width, scheme) for name in PAGES for width in WIDTHS for scheme in SCHEMES]


@pytest.mark.parametrize("name, width, scheme", CASES, ids=str)
def test_nothing_sticks_out_and_no_word_is_cut_off(seen, name, width, scheme):
    frame = seen[0][f"{name}/{width}/{scheme}"]
    assert frame["over"] <= 0 and frame["cut"] == [] and frame["letters"] > 40


def luminance(colour: str) -> float:
    return sum(map(float, re.findall(r"[\d.]+", colour)[:3])) / 3


@pytest.mark.parametrize("name", ["program", "one nest", "dynamic", "model"])
def test_pages_have_the_readers_colours(seen, name):
    for width in WIDTHS:
        light, dark = (seen[0][f"{name}/{width}/{scheme}"] for scheme in SCHEMES)
        assert luminance(light["ground"]) > 200 > 120 > luminance(light["ink"])
        assert luminance(dark["ground"]) < 60 < 150 < luminance(dark["ink"])


def test_the_browser_draws_them(seen):
    """A screenshot is no single colour."""
    image = pytest.importorskip("matplotlib.image").imread(seen[1])
    assert image.shape[1] == 1500 and image[..., :3].std() > 0.02


def test_that_an_overflow_is_seen(tmp_path):
    """The harness: a page that sticks out and a word that is cut off are told."""
    page = '<!doctype html><body><div style="width: 999px">.</div><svg viewBox="0 0 9 9"><text y="5">much</text></svg>'
    frame = f'<iframe id="x" srcdoc="{escape(page)}" style="width: 300px"></iframe>'
    (tmp_path / "x.html").write_text(FRAMES.format(frames=frame))
    found = found_on(tmp_path / "x.html")["x"]
    assert found["over"] > 600 and found["cut"] == ["much"]

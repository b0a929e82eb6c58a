"""The site's search, where its pages are opened as files and there is no network."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from headless import found_on, needs_browser

ROOT = Path(__file__).parents[2]
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND"

pytestmark = [
    needs_browser,
    pytest.mark.skipif(importlib.util.find_spec("zensical") is None, reason="no zensical: pip install '.[site]'"),
]

ASKED = """<pre id="found">[]</pre><script>
const soon = run => setTimeout(run, 1500)
soon(() => {
  document.querySelector(".md-search__button").click()
  soon(() => {
    const search = [...document.querySelectorAll("div")].find(each => each.shadowRoot).shadowRoot
    const input = search.querySelector("input")
    input.value = "winograd"
    input.dispatchEvent(new Event("input", { bubbles: true }))
    soon(() => {
      const found = [...search.querySelectorAll("a")].map(each => each.href)
      document.getElementById("found").textContent = JSON.stringify(found)
    })
  })
})
</script></body>"""


def test_the_search_finds_a_page_offline(tmp_path):
    spec = importlib.util.spec_from_file_location("site_build", ROOT / "site/build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "index.md").write_text("# Start\n\nNothing here.\n")
    (pages / "filter.md").write_text("# Filters\n\nConvolutions by Winograd.\n")
    settings = (ROOT / "site/zensical.toml").read_text()
    settings = re.sub(r"^nav = \[.*?^\]\n", "", settings, flags=re.M | re.S)
    (tmp_path / "zensical.toml").write_text(settings.partition("[project.plugins.mkdocstrings")[0])
    subprocess.run([sys.executable, "-m", "zensical", "build"], cwd=tmp_path, check=True, capture_output=True)
    build.finish(tmp_path / "site")
    probe = tmp_path / "site/probe.html"
    probe.write_text((tmp_path / "site/index.html").read_text().replace("</body>", ASKED))
    assert any("/filter.html" in each for each in found_on(probe, ALONE))

"""A browser without a window that opens pages as files and tells what it found there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars --disable-sync"
    " --disable-background-networking --disable-component-update --virtual-time-budget=20000"
).split()

needs_browser = pytest.mark.skipif(BROWSER is None, reason="no chromium on PATH: tests/browser/install")


def opened(page: Path, *flags: str) -> str:
    """What the browser prints of a page, with a profile of its own beside the page."""
    run = [BROWSER, *FLAGS, f"--user-data-dir={page.parent / 'profile'}", *flags, page.as_uri()]
    return subprocess.run(run, capture_output=True, text=True, timeout=300).stdout


def found_on(page: Path, *flags: str):
    """The JSON that a script of the page leaves in its element `found`."""
    return json.loads(unescape(re.search(r'<pre id="found">(.*?)</pre>', opened(page, *flags, "--dump-dom"), re.S)[1]))

"""Claims: one process at a time for each key, however many threads ask."""

import multiprocessing
import os
import time
from concurrent.futures import ThreadPoolExecutor

from griotte.table import claims as module
from griotte.table.claims import Claims

KEY = "0123456789abcdef"


def granted(table, keys, found):
    claims = Claims(table)
    with ThreadPoolExecutor(len(keys)) as pool:
        found.put(list(pool.map(lambda key: _ask(claims, key), keys)))


def _ask(claims, key):
    with claims.claim(key, wait=False) as is_granted:
        return is_granted


def in_another_process(table, keys):
    context = multiprocessing.get_context("fork")
    found = context.Queue()
    process = context.Process(target=granted, args=(table, keys, found))
    process.start()
    answer = found.get(timeout=60)
    process.join()
    return answer


def test_a_claim_holds_against_other_processes_until_it_ends(tmp_path):
    claims = Claims(tmp_path / "t.griotte")
    with claims.claim(KEY, wait=False) as is_granted:
        assert is_granted
        assert in_another_process(tmp_path / "t.griotte", [KEY, "f" * 16]) == [False, True]
    assert in_another_process(tmp_path / "t.griotte", [KEY]) == [True]


def test_no_thread_goes_on_without_a_claim_while_another_opens_the_file(tmp_path, monkeypatch):
    """The first claims of a process come from several threads at once, and opening a file takes its time."""
    opening = os.open
    with Claims(tmp_path / "t.griotte").claim(KEY, wait=False):
        monkeypatch.setattr(os, "open", lambda *a, **k: (time.sleep(0.1), opening(*a, **k))[1])
        assert in_another_process(tmp_path / "t.griotte", [KEY] * 4) == [False] * 4


def test_where_the_folder_cannot_hold_the_file_every_claim_succeeds(tmp_path):
    with Claims(tmp_path / "missing" / "t.griotte").claim(KEY, wait=False) as is_granted:
        assert is_granted


def test_where_there_are_no_locks_every_claim_succeeds(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "fcntl", None)
    for claims in (Claims(tmp_path / "t.griotte"), Claims(tmp_path / "t.griotte")):
        with claims.claim(KEY, wait=False) as is_granted:
            assert is_granted

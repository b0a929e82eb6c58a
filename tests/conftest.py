"""What all tests share: golden files can be refreshed, and no test touches the user's cache."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--refresh-golden", action="store_true", help="write tests/**/golden/* anew from what is generated now")


@pytest.fixture(scope="session")
def session_cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def cache(session_cache, monkeypatch):
    """A cache that the tests share: no test reads or writes the user's."""
    monkeypatch.setenv("GRIOTTE_CACHE", str(session_cache))
    return session_cache

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from griotte.support import folders as module
from griotte.support.folders import cache_dir, is_private, private_dir, process_dir, writable_dir, write_atomically


def test_the_cache_is_where_the_environment_says(monkeypatch, tmp_path):
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path / "x"))
    assert cache_dir() == tmp_path / "x"
    assert not cache_dir().exists()


def test_else_it_is_the_users(monkeypatch, tmp_path):
    monkeypatch.setenv("GRIOTTE_CACHE", "")
    monkeypatch.setattr(module.platformdirs, "user_cache_dir", lambda name: f"{tmp_path}/{name}")
    assert cache_dir() == tmp_path / "griotte"


def test_a_user_without_a_home_gets_no_directory_called_tilde(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRIOTTE_CACHE")
    monkeypatch.setattr(module.platformdirs, "user_cache_dir", lambda name: "~/.cache/griotte")
    monkeypatch.setattr(module.os.path, "expanduser", lambda path: path)
    monkeypatch.setattr(module, "spare_dir", lambda: None)
    module._warn.cache_clear()
    with pytest.warns(RuntimeWarning, match="expected a home directory or GRIOTTE_CACHE"):
        assert cache_dir() == process_dir()


def test_a_relative_cache_is_made_absolute(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRIOTTE_CACHE", "here")
    assert writable_dir("kernels") == tmp_path / "here" / "kernels"
    assert (tmp_path / "here" / "kernels").is_dir()


def test_an_unwritable_cache_warns_once_and_is_replaced(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("not a directory")
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(module, "spare_dir", lambda: None)
    with pytest.warns(RuntimeWarning, match="set GRIOTTE_CACHE to a directory") as told:
        first = writable_dir("kernels")
    assert told[0].filename == __file__, "expected the line that asks for the folder"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert writable_dir("kernels") == first == process_dir() / "kernels"


def test_the_directory_of_a_process_goes_with_it():
    program = "from griotte.support.folders import process_dir; print(process_dir())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    folder = Path(done.stdout.strip())
    assert folder.name.startswith("griotte-")
    assert not folder.exists()


def test_a_write_is_all_or_nothing(monkeypatch, tmp_path):
    path = tmp_path / "file"
    write_atomically(path, b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


# Whose folder it is ----------------------------------------------------------------------


@pytest.fixture
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home" / "cache"
    folder.mkdir(parents=True)
    monkeypatch.setenv("GRIOTTE_CACHE", str(folder))
    monkeypatch.setattr(module, "_warn", module._warn.__wrapped__)  # each time, not once a process
    return folder


def test_a_new_cache_is_its_users_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path / "new"))
    old = os.umask(0)
    try:
        folder = private_dir("kernels")
    finally:
        os.umask(old)
    assert folder == tmp_path / "new" / "kernels"
    assert [path.stat().st_mode & 0o777 for path in (folder, folder.parent)] == [0o700, 0o700]


@pytest.mark.parametrize("mode", (0o777, 0o757, 0o775))
@pytest.mark.parametrize("where", (".", "kernels", ".."))
def test_a_folder_that_others_can_write_to_holds_no_code(home, where, mode):
    (home / "kernels").mkdir()
    (home / where).chmod(mode)
    with pytest.warns(
        RuntimeWarning,
        match=(
            f"expected a cache directory that only you can write to, found .* has mode {mode:04o}; no code is loaded"
            " from it"
        ),
    ):
        assert private_dir("kernels") == process_dir() / "kernels"
    assert writable_dir("kernels") == home / "kernels"  # data may lie there


def test_a_shared_folder_where_all_keep_their_own_may_lead_to_it(home):
    home.parent.chmod(0o1777)  # as /tmp
    assert private_dir("kernels") == home / "kernels"
    (home / "kernels").chmod(0o1777)  # but not be it
    with pytest.warns(RuntimeWarning, match="has mode 1777"):
        assert private_dir("kernels") == process_dir() / "kernels"


def test_another_users_folder_holds_no_code(home, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    owner = home.stat().st_uid
    if owner == 0:
        os.chown(home, 54321, -1)
        owner = 54321
    with pytest.warns(RuntimeWarning, match=f"belongs to user {owner}"):
        assert private_dir("kernels") == process_dir() / "kernels"


def test_what_is_not_there_is_not_private(tmp_path):
    assert is_private(tmp_path) and not is_private(tmp_path / "none")

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time

import pytest
from griotte.runtime import compilers, toolchain
from griotte.runtime.compilers import Compiler, find_compiler
from griotte.runtime.toolchain import compile_shared, verified
from griotte.support import folders
from griotte.support.errors import GriotteError, ToolchainError

SEVEN = "int seven(void) { return 7; }\n"


def call(library, function="seven"):
    return getattr(ctypes.CDLL(str(library)), function)()


# Finding a compiler ----------------------------------------------------------------------


def fake(folder, name, answer):
    """A program that answers --version and nothing else."""
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\necho '{answer}'\n")
    program.chmod(0o755)
    return program


def test_the_first_of_gcc_clang_cc_on_the_path_is_taken(monkeypatch, tmp_path):
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "one"))
    fake(tmp_path / "one", "cc", "cc (Debian) 12.2.0")
    assert find_compiler() == Compiler(("cc",), "gcc", "cc (Debian) 12.2.0")

    fake(tmp_path / "two", "cc", "cc 12")
    fake(tmp_path / "two", "clang", "Debian clang version 19.1")
    monkeypatch.setenv("PATH", str(tmp_path / "two"))
    assert find_compiler() == Compiler(("clang",), "clang", "Debian clang version 19.1")


def test_cc_goes_first_and_may_have_arguments(monkeypatch, tmp_path):
    program = fake(tmp_path, "mine", "mine, a clang of my own")
    monkeypatch.setenv("CC", f"'{program}' -m64")
    assert find_compiler() == Compiler((str(program), "-m64"), "clang", "mine, a clang of my own")


@pytest.mark.parametrize("cc", ["/no/such/compiler", "'unclosed", "false"])
def test_a_cc_that_does_not_work_is_an_error_not_another_compiler(monkeypatch, cc):
    monkeypatch.setenv("CC", cc)
    with pytest.raises(ToolchainError, match=r"expected a C compiler in \$CC, found .*unset CC"):
        find_compiler()


def test_the_wheel_comes_last(monkeypatch, tmp_path):
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(compilers.importlib.util, "find_spec", lambda name: name == "ziglang")
    asked = []
    monkeypatch.setattr(compilers, "_probe", lambda command: asked.append(command) or "found")
    assert find_compiler() == "found"
    assert asked == [(sys.executable, "-m", "ziglang", "cc")]
    compilers._find_compiler.cache_clear()


def test_no_compiler_says_what_was_looked_for_and_what_to_do(monkeypatch, tmp_path):
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(compilers.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(GriotteError) as caught:
        find_compiler()
    message = str(caught.value)
    for words in ("$CC", "gcc, clang and cc", "ziglang", "pip install 'griotte[zig]'"):
        assert words in message
    assert "\n" not in message


def test_no_process_is_asked_the_second_time(monkeypatch):
    found = find_compiler()
    monkeypatch.setattr(subprocess, "run", None)
    monkeypatch.setattr(subprocess, "Popen", None)
    assert find_compiler() == found


# Flags ---------------------------------------------------------------------------------


def compiler(kind):
    return Compiler((kind,), kind, kind)


@pytest.mark.parametrize("kind", ["gcc", "clang", "zig"])
def test_no_kernel_is_compiled_for_this_machine_alone_or_with_loose_arithmetic(kind):
    flags = compiler(kind).flags(("-mavx512f",))
    assert "-mavx512f" in flags
    assert not {"-march=native", "-ffast-math", "-fopenmp", "-fno-trapping-math"} & set(flags)


def test_compilers_speak_english_and_zig_caches_beside_ours(monkeypatch, tmp_path):
    """Unless the user says where; no other compiler is told."""
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    told = lambda *command: {k: v for k, v in compilers.environment(command).items() if os.environ.get(k) != v}
    zig = [sys.executable, "-m", "ziglang", "cc"]
    own = str(folders.private_dir("zig"))
    assert told("gcc") == told("/usr/bin/clang") == {"LC_ALL": "C"}
    assert told(*zig) == {"LC_ALL": "C", "ZIG_GLOBAL_CACHE_DIR": own, "ZIG_LOCAL_CACHE_DIR": own}
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", str(tmp_path))
    assert told(*zig) == {"LC_ALL": "C", "ZIG_LOCAL_CACHE_DIR": str(tmp_path)}


def test_zig_must_be_told_not_to_use_all_of_this_machine():
    assert "-mcpu=baseline" in compiler("zig").flags(())


def test_zig_is_told_of_extensions_by_its_own_flag():
    flags = compiler("zig").flags(("-march=armv8.2-a+dotprod+i8mm", "-mavx2"))
    assert "-mcpu=baseline+dotprod+i8mm" in flags and "-mavx2" in flags
    assert not any(flag.startswith("-march=") for flag in flags)
    assert "-march=armv8.2-a+dotprod" in compiler("clang").flags(("-march=armv8.2-a+dotprod",))


# Compiling -------------------------------------------------------------------------------


def test_compiling_once_is_enough(monkeypatch):
    library = compile_shared(SEVEN)
    assert call(library) == 7
    assert library.parent.name == "kernels"
    monkeypatch.setattr(toolchain, "_build", None)
    assert compile_shared(SEVEN) == library


PIECES = (
    '__attribute__((visibility("hidden"))) int three(int x);\nint seven(void) { return three(1) + 4; }\n',
    '__attribute__((visibility("hidden"))) int three(int x) { return 3 * x; }\n',
)


def test_pieces_become_one_library_which_the_cache_has_for_the_whole(empty_cache, monkeypatch):
    whole = "static int three(int x) { return 3 * x; }\nint seven(void) { return three(1) + 4; }\n"
    library = compile_shared(whole, pieces=PIECES)
    assert call(library) == 7 and not hasattr(ctypes.CDLL(str(library)), "three")
    monkeypatch.setattr(toolchain, "_ran", None)
    assert compile_shared(whole) == library and compile_shared(whole, pieces=PIECES[::-1]) == library


def test_pieces_that_were_begun_are_not_compiled_again(empty_cache, monkeypatch):
    whole, begun = "".join(PIECES), toolchain.ObjectFiles()
    begun.begin(PIECES[0])
    monkeypatch.setattr(toolchain, "_build", lambda *_: pytest.fail("the pieces are compiled"))
    folder = begun._folder
    library = compile_shared(whole, pieces=PIECES[1:], begun=begun)
    assert call(library) == 7 and len(begun._started) == len(PIECES)
    assert not begun.running and not folder.exists()
    with toolchain.ObjectFiles() as unused:  # as the cache has it
        unused.begin(PIECES[0])
        assert compile_shared(whole, pieces=PIECES[1:], begun=unused) == library
    assert not unused.running and not unused._folder.exists()


def test_what_was_begun_and_is_refused_is_compiled_whole(empty_cache):
    with toolchain.ObjectFiles() as begun:
        begun.begin("int nine(void) {")
        assert call(compile_shared(SEVEN, pieces=(SEVEN,), begun=begun)) == 7


def test_compilers_of_pieces_end_in_time_and_with_who_asked(monkeypatch, tmp_path):
    slow = tmp_path / "gcc"
    slow.write_text("#!/bin/sh\ncase $1 in --version) echo gcc 12;; *) exec sleep 600;; esac\n")
    slow.chmod(0o755)
    monkeypatch.setenv("CC", str(slow))
    with toolchain.ObjectFiles() as begun:
        begun.begin(SEVEN)
        assert begun.running == 1
    assert not begun.running and not begun._folder.exists()
    monkeypatch.setattr(toolchain, "COMPILE_SECONDS", 0.01)
    with pytest.raises(ToolchainError, match="timed out"), toolchain.ObjectFiles() as begun:
        begun.linked([SEVEN])
    assert not begun.running and not begun._folder.exists()


@pytest.mark.parametrize("pieces", [("int nine(void) {", SEVEN), (PIECES[0], ""), (SEVEN, SEVEN)])
def test_where_pieces_are_refused_the_whole_is_compiled(pieces, empty_cache):
    assert call(compile_shared(SEVEN, pieces=pieces)) == 7
    with pytest.raises(ToolchainError, match="expected C that .* compiles, found: .*error"):
        compile_shared("int eight(void) {", pieces=pieces)


def test_a_kernel_may_use_the_mathematical_library():
    source = "#include <math.h>\nint f(void) { volatile double x = 3; return (int)pow(x, 3); }"
    assert call(compile_shared(source), "f") == 27


def test_the_name_depends_on_source_flags_and_compiler(monkeypatch):
    libraries = {
        compile_shared(SEVEN),
        compile_shared(SEVEN + "\n"),
        compile_shared(SEVEN, extra_flags=("-O1",)),
    }
    assert len(libraries) == 3
    here = find_compiler()
    newer = Compiler(here.command, here.kind, here.version + " (newer)")
    monkeypatch.setattr(toolchain, "find_compiler", lambda: newer)
    assert compile_shared(SEVEN) not in libraries


def damage_truncate(library):
    library.write_bytes(library.read_bytes()[:1000])


def damage_bit(library):
    content = bytearray(library.read_bytes())
    content[len(content) // 2] ^= 1
    library.write_bytes(content)


def damage_empty(library):
    library.write_bytes(b"")


def damage_digest(library):
    library.with_suffix(".sha256").unlink()


@pytest.mark.parametrize("damage", [damage_truncate, damage_bit, damage_empty, damage_digest])
def test_a_damaged_library_is_built_again(empty_cache, damage):
    library = compile_shared(SEVEN)
    damage(library)
    assert not verified(library)
    assert compile_shared(SEVEN) == library
    assert verified(library)
    assert call(library) == 7


def test_a_refused_source_gives_the_first_errors_and_keeps_the_source(empty_cache):
    source = "int f(void) {\n    return nosuchthing;\n}\n"
    with pytest.raises(ToolchainError) as caught:
        compile_shared(source)
    message = str(caught.value)
    assert "kernel.c:2" in message and "nosuchthing" in message
    (kept,) = (empty_cache / "failed").iterdir()
    assert str(kept) in message
    assert kept.read_text() == source
    assert not (empty_cache / "kernels").exists()


def test_a_function_that_was_not_declared_is_refused():
    with pytest.raises(ToolchainError, match="undeclared_helper"):
        compile_shared("int f(void) { return undeclared_helper(); }")


# Trouble with the cache --------------------------------------------------------------------


def test_an_unwritable_cache_is_worked_around(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.warns(RuntimeWarning, match="expected a writable cache directory, found"):
        library = compile_shared(SEVEN)
    assert call(library) == 7
    monkeypatch.setattr(toolchain, "_build", None)
    assert compile_shared(SEVEN) == library  # once a process is enough


@pytest.mark.parametrize("open_to_all", ("folder", "file"))
def test_a_planted_library_is_not_loaded(open_to_all, empty_cache):
    """Whole, with its digest, under the right name, where anyone could have put it."""
    source = f"{SEVEN}// planted in a {open_to_all}\n"
    planted, other = compile_shared(source), compile_shared(source.replace("7", "8"))
    right, wrong = planted.read_bytes(), other.read_bytes()
    planted.write_bytes(wrong)
    planted.with_suffix(".sha256").write_bytes(other.with_suffix(".sha256").read_bytes())
    assert compile_shared(source).read_bytes() == wrong  # what is the user's own is trusted
    if open_to_all == "folder":
        planted.parent.chmod(0o777)
        with pytest.warns(RuntimeWarning, match="only you can write to"):
            found = compile_shared(source)
        assert found.parent.parent == folders.process_dir()
    else:
        planted.chmod(0o777)
        found = compile_shared(source)
    assert found.read_bytes() == right


def test_a_library_is_its_owners_to_write_whatever_the_umask_says(empty_cache):
    old = os.umask(0)
    try:
        library = compile_shared(SEVEN)
    finally:
        os.umask(old)
    assert library.stat().st_mode & 0o777 == 0o644


def test_a_full_cache_is_worked_around(monkeypatch, empty_cache):
    def write(path, content, **more):
        if empty_cache in path.parents:
            raise OSError(28, "No space left on device")
        folders.write_atomically(path, content, **more)

    monkeypatch.setattr(toolchain, "write_atomically", write)
    source = SEVEN + "// for a full cache\n"
    with pytest.warns(RuntimeWarning, match="No space left on device"):
        assert call(compile_shared(source)) == 7


def test_a_full_cache_and_a_full_disk_is_one_line(monkeypatch, empty_cache):
    def write(path, content, **more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(toolchain, "write_atomically", write)
    with pytest.warns(RuntimeWarning), pytest.raises(ToolchainError, match="free some space"):
        compile_shared(SEVEN + "// for a full disk\n")


def test_a_compiler_that_went_after_it_was_found_is_one_line(monkeypatch, empty_cache, tmp_path):
    program = fake(tmp_path / "once", "cc", "cc (Debian) 12.2.0")
    monkeypatch.setenv("CC", str(program))
    assert find_compiler().command == (str(program),)
    program.unlink()
    for compile in (compile_shared, lambda text: toolchain.compile_object({"seven.c": text.encode()})):
        with pytest.raises(ToolchainError, match=f"expected {program} to compile a kernel, found .*No such file"):
            compile(SEVEN + "// by a compiler that is gone\n")


def test_no_room_for_temporary_files_is_one_line(monkeypatch, empty_cache):
    def refuse(*_, **__):
        raise FileNotFoundError(2, "No usable temporary directory found")

    folders._process_dir.cache_clear()
    monkeypatch.setattr(folders.tempfile, "mkdtemp", refuse)
    with pytest.raises(ToolchainError, match="set TMPDIR"):
        compile_shared(SEVEN + "// without a temporary directory\n")


COMPILE = """
import ctypes, sys
from griotte.runtime.toolchain import compile_shared
source = open(sys.argv[1]).read()
print("ready", flush=True)
sys.stdin.readline()
print(ctypes.CDLL(str(compile_shared(source))).seven())
"""


def start(program, path):
    words = [sys.executable, "-c", program, str(path)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    return process


def test_two_processes_compile_the_same_source_at_once(empty_cache, tmp_path):
    path = tmp_path / "seven.c"
    path.write_text(SEVEN)
    processes = [start(COMPILE, path) for _ in range(2)]
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.communicate(timeout=60)[0] for process in processes] == ["7\n", "7\n"]
    assert sorted(file.suffix for file in (empty_cache / "kernels").iterdir()) == [".sha256", ".so"]


@pytest.mark.parametrize("delay", [0.01, 0.05])
def test_a_killed_process_leaves_no_wrong_file(empty_cache, tmp_path, delay):
    path = tmp_path / "seven.c"
    path.write_text(SEVEN)
    process = start(COMPILE, path)
    process.stdin.write("go\n")
    process.stdin.flush()
    time.sleep(delay)
    process.kill()
    process.communicate()
    assert call(compile_shared(SEVEN)) == 7


@pytest.mark.skipif(os.geteuid() == 0 or not shutil.which("chmod"), reason="root may write all")
def test_a_directory_without_permission_is_worked_around(empty_cache):
    empty_cache.mkdir()
    empty_cache.chmod(0o500)
    with pytest.warns(RuntimeWarning, match="Permission denied"):
        assert call(compile_shared(SEVEN)) == 7

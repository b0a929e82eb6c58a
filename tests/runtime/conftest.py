"""Small C kernels, written by hand, and a cache of their own."""

import pytest
from griotte.runtime.kernel import Kernel
from griotte.runtime.saved import Library
from griotte.runtime.signature import Signature, TensorArg
from griotte.runtime.toolchain import compile_shared


@pytest.fixture(scope="session")
def session_cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def cache(session_cache, monkeypatch):
    """A cache that the tests share: no test reads or writes the user's."""
    monkeypatch.setenv("GRIOTTE_CACHE", str(session_cache))
    return session_cache


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("GRIOTTE_CACHE", str(folder))
    return folder


@pytest.fixture
def make_kernel(cache):
    """make_kernel(source, "f", inputs, output) with TensorArgs, of `cost` cycles; more words go to the compiler."""

    def make(source, function, inputs, output, cost=1, **options):
        library = compile_shared(source, **options)
        header = f"void {function}({'const void *, ' * len(inputs)}void *);\n"
        signature = Signature(function, tuple(inputs), output)
        return Kernel(Library(source, header, signature, library, frozenset(), {"cost": cost}))

    return make


SUBTRACT = """
void subtract(const float *x, const float *y, float *z) {
    for (long i = 0; i < 6; i++) z[i] = x[i] - y[i];
}
"""


@pytest.fixture
def subtract(make_kernel):
    """f32[2,3] - f32[2,3]: a kernel whose operands cannot be swapped unnoticed."""
    x, y, z = (TensorArg(name, "f32", (2, 3), (1, 0)) for name in "xyz")
    return make_kernel(SUBTRACT, "subtract", [x, y], z)

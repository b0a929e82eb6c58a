"""Vectors of elements two to four apart, loaded whole: what they hold, and that nothing around them is read."""

import re
import subprocess

import pytest
from features import skip_without
from griotte.engine.vectors.apart import MOST, loads, may_join
from griotte.engine.vectors.library import VectorLibrary
from vector_harness import CONFIGS, compile_c

DTYPES = {"u8": (64, 32, 16, 4), "bf16": (32, 16, 8), "f32": (16, 8, 4, 2), "f64": (8, 4)}

_MAIN = """
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
static unsigned char *room;
static int check(const char *name, void (*f)(const unsigned char *, void *), int size, int lanes, int stride, int n) {
    unsigned char found[512], wanted[512] = {0};
    unsigned char *ends[2] = {room, room + 4096 - (n ? ((n - 1) * stride + 1) * size : 0)};
    for (int e = 0; e < 2; e++) { /* first on the page, and last */
        f(ends[e], found);
        for (int i = 0; i < n; i++) memcpy(wanted + i * size, ends[e] + i * stride * size, size);
        if (memcmp(found, wanted, lanes * size)) { printf("%s\\n", name); return 1; }
    }
    return 0;
}
int main(void) {
    unsigned char *pages = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    room = pages + 4096;
    for (int i = 0; i < 4096; i++) room[i] = i * 37 % 251 + 1;
    if (mprotect(pages, 4096, PROT_NONE) || mprotect(room + 4096, 4096, PROT_NONE)) return 3;
    int wrong = 0;
@
    return wrong != 0;
}
"""


def every(most: int):
    """Dtype, lanes, elements apart and how many are there, of vectors of at most so many bytes."""
    for name, widths in DTYPES.items():
        for lanes in widths:
            for stride in range(2, MOST + 1):
                if lanes * {"u8": 1, "bf16": 2, "f32": 4, "f64": 8}[name] <= most:
                    yield from ((name, lanes, stride, n) for n in range(lanes + 1))


@pytest.mark.parametrize("name", CONFIGS)
def test_each_lane_has_its_element_and_nothing_around_them_is_read(name, tmp_path):
    """The page before the first element and the one after the last cannot be read."""
    config = CONFIGS[name]
    skip_without(config.features)
    library, functions, calls = VectorLibrary(config.features), [], []
    for dtype, lanes, stride, n in every(config.register):
        load, T = library.load_every(dtype, lanes, stride, n), library.scalar(dtype)
        functions.append(
            f"static void test_{load}(const unsigned char *p, void *out) {{"
            f" {library.store(dtype, lanes)}(({T} *)out, {load}((const {T} *)p)); }}"
        )
        calls.append(f'    wrong += check("{load}", test_{load}, sizeof({T}), {lanes}, {stride}, {n});')
    text = "\n".join([library.definitions(), *functions, _MAIN.replace("@", "\n".join(calls))])
    done = subprocess.run([compile_c(text, tmp_path, "apart", "-O1", *config.flags)], capture_output=True, text=True)
    assert done.returncode == 0 and len(calls) > 100, done.stdout[:2000]


@pytest.mark.parametrize("name", ["avx2", "avx512"])
def test_no_vector_goes_by_memory(name, tmp_path):
    """A load of what was stored by parts waits for them: gcc makes a vector four times as long in that way."""
    config = CONFIGS[name]
    library, functions = VectorLibrary(config.features), []
    for dtype, lanes, stride, n in every(config.register):
        load, T = library.load_every(dtype, lanes, stride, n), library.scalar(dtype)
        functions.append(
            f"void test_{load}(const {T} *p, {T} *out) {{ {library.store(dtype, lanes)}(out, {load}(p)); }}"
        )
    text = "\n".join([library.definitions(), *functions])
    code = compile_c(text, tmp_path, "apart", "-O3", "-S", *config.flags).read_text()
    assert len(functions) > 100 and not re.findall(r"\n(?!\tleaq).*\(%rsp\)", code)


@pytest.mark.parametrize("width", [2, 4, 8, 16, 32, 64])
def test_loads_hold_all_elements_at_places_of_their_own_and_nothing_behind_the_last(width):
    for stride in range(2, MOST + 1):
        for count in range(2, width + 1):
            span, found = (count - 1) * stride + 1, ()
            if width <= span:
                found = loads(width, stride, count)
            held = [start + place for start, places in found for place in places]
            places = [place for _, places in found for place in places]
            assert not found or held == [stride * n for n in range(count)]
            assert len(set(places)) == len(places) and all(0 <= start <= span - width for start, _ in found)
            assert len(found) <= stride + 1


@pytest.mark.parametrize("lanes", [4, 8, 16, 32, 64])
def test_two_and_four_apart_fill_whole_vectors_by_as_few_loads_as_hold_them(lanes):
    """Elements three apart fall on the same places of 4, 16 and 64 lanes: there each half is joined by itself."""
    for stride in range(2, MOST + 1):
        if may_join(stride, lanes):
            assert len(loads(lanes, stride, lanes)) == (stride if lanes % 3 == 2 or stride != 3 else 0)

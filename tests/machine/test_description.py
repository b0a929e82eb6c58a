"""TOML machine descriptions: what they give, and how they refuse."""

import re
from dataclasses import replace

import pytest
from griotte.machine import COEFFICIENTS, NAMES, Handling, Layouts, Prefetch, Writing, description, named, resolve
from griotte.machine.described import text
from griotte.machine.description import load
from griotte.support.errors import TargetError
from machines import DESCRIPTIONS, machine

GOOD = """
name = "small"
base = "avx2"
registers = 8
panel_vectors = [2, 1]
tile_sizes = [6]
kernels = ["map", "pack", "multiply_add"]

[[levels]]
name = "L1"
capacity = "32KiB"
[[levels]]
name = "memory"

[coefficients]
loop = 3.0
[ports]
arithmetic = 1
"""


@pytest.fixture
def write(tmp_path):
    def written(text: str):
        path = tmp_path / "machine.toml"
        path.write_text(text)
        return path

    return written


def test_how_long_before_it_needs_them_a_program_asks_for_lines(write):
    assert resolve(str(write(GOOD))).prefetch == Prefetch()
    table = (
        GOOD + "\n[prefetch]\nleast_work = 2.5\nfar_part = 768\nfar_panel = 4096\nfar_rows = 5\nlight_panel ="
        " 2048\nlater_row = 4\nfar_row = 2\nnext_rows = 65536\n"
    )
    assert resolve(str(write(table))).prefetch == Prefetch(
        least_work=2.5,
        far_part=768,
        far_panel=4096,
        far_rows=5,
        light_panel=2048,
        later_row=4,
        far_row=2,
        next_rows=65536,
    )


@pytest.mark.parametrize(
    "line, message",
    [
        ("far_panel = -1", "expected an integer from 0 to 1048576 for prefetch.far_panel in .*, found -1; write one"),
        ("row = 512.5", "expected an integer from 0 to 1048576 for prefetch.row in .*, found 512.5; write one"),
        ("tail = 0", "expected an integer from 1 to 1048576 for prefetch.tail in .*, found 0; write one"),
        ("often = true", "expected an integer from 0 to 1048576 for prefetch.often in .*, found True; write one"),
        ("least_work = 2000", "expected a number from 0 to 1024 for prefetch.least_work in .*, found 2000; write one"),
        (
            "far_ahead = 4096",
            "expected keys of least_work row part .* for prefetch in .*, found 'far_ahead'; remove or rename it",
        ),
    ],
)
def test_a_wrong_distance_is_refused(write, line, message):
    with pytest.raises(TargetError, match=message):
        load(write(f"{GOOD}\n[prefetch]\n{line}\n"))


def test_a_table_of_distances_is_a_table(write):
    with pytest.raises(TargetError, match="expected a table for prefetch in .*, found 512"):
        load(write("prefetch = 512\n" + GOOD))


def test_a_description_is_a_target(write):
    target = resolve(str(write(GOOD)))
    assert (target.name, target.registers, target.vector_bytes, target.panel_vectors, target.tile_sizes) == (
        "small",
        8,
        32,
        (1, 2),
        (6,),
    )
    assert [(level.name, level.capacity) for level in target.levels] == [
        ("registers", 256),
        ("L1", 32768),
        ("memory", None),
    ]
    assert [k.name for k in target.kernels] == ["map", "pack", "multiply_add"]
    assert target.coefficient == COEFFICIENTS | {"loop": 3.0}
    assert target.ports.arithmetic == 1.0 and target.ports.load == 2.0


def test_the_example_in_the_docstring_loads(write):
    lines = [line[4:] for line in description.__doc__.splitlines()[2:]]
    assert load(write("\n".join(lines))).name == "small"


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_every_test_machine_loads(name):
    assert machine(name).name == name


@pytest.mark.parametrize("name", NAMES)
def test_a_target_written_is_the_same_target(name, write):
    target = named(name)
    assert load(write(text(target))) == target


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_a_described_machine_written_is_the_same_machine(name, write):
    assert load(write(text(machine(name)))) == machine(name)


def test_learned_factors_are_on_all_coefficients(write):
    """On those of the file and on the usual ones; a target that is written has them as its coefficients."""
    plain, found = load(write(GOOD)), load(write(GOOD + "\n[learned]\nloop = 2.0\ncall = 0.5\n"))
    assert (found.coefficient["loop"], found.coefficient["call"]) == (6.0, plain.coefficient["call"] / 2)
    assert load(write(text(found))) == found and replace(found, coefficients=plain.coefficients) == plain


def test_slots_that_differ_by_maker_are_written(write):
    target = machine("avx512")
    slower = replace(
        target,
        kernels=tuple(
            replace(k, uops=k.uops + 1, interleave=k.interleave and k.interleave / 2) for k in target.kernels
        ),
    )
    assert any(k.interleave for k in target.kernels)
    assert load(write(text(slower))) == slower


def test_what_a_machine_hides_issues_and_asks_for_is_written(write):
    target = machine("avx2")
    odd = replace(
        target,
        ports=replace(target.ports, issue=3.2, displaced=0.3),
        crossing=replace(target.crossing, behind=0.75, hiding=24.0, streams=4.0),
        handling=Handling(scattered=2.0, picked=0.0),
        layouts=Layouts(blocked=1.25),
        prefetch=Prefetch(least_work=2.5, row=256, often=9, tail=32),
        writing=Writing(unrolled=12, block=8),
    )
    assert load(write(text(odd))) == odd


def test_equal_files_give_equal_targets(write):
    assert load(write(GOOD)) == load(write(GOOD)) and hash(load(write(GOOD))) == hash(load(write(GOOD)))


def test_kernels_that_need_an_optional_feature_come_with_it(write):
    text = 'base = "avx512"\nfeatures = ["avx512_vnni"]\n[[levels]]\nname = "memory"\n'
    target = load(write(text))
    names = {k.name for k in target.kernels}
    assert "dot_u8s8" in names and "dot_bf16" not in names
    assert "-mavx512vnni" in target.flags and "-mavx512bf16" not in target.flags


@pytest.mark.parametrize(
    "change, says",
    [
        (("base =", "bass ="), "bass"),
        (('"avx2"', '"sse9"'), "portable or avx2 or avx512"),
        (("registers = 8", "registers = 0"), "1 to 1024"),
        (("registers = 8", "registers = true"), "1 to 1024"),
        (("[ports]", "[uops]\ndot = 1.0\n[ports]"), "map pack multiply_add"),
        (("[ports]", "[uops]\nmap = -1.0\n[ports]"), "for uops.map"),
        (("[ports]", "[interleave]\nmultiply_add = 1.0\n[ports]"), "found 'multiply_add'"),
        (("registers = 8", "vector_bytes = 16"), "the width of avx2"),
        (("registers = 8", 'features = ["avx512_vnni"]'), "optional feature of avx2"),
        (("registers = 8", "cache_share = 1.5"), "cache_share"),
        (("[2, 1]", "[1, 1]"), "each once"),
        (("[2, 1]", "[-1]"), "panel_vectors"),
        (("tile_sizes = [6]", "tile_sizes = 6"), "a list"),
        (('"pack"', '"packs"'), "kernels of avx2"),
        (('"32KiB"', '"32 kilo"'), "bytes"),
        (('"32KiB"', "12"), "64 bytes or more"),
        (('"32KiB"', "inf"), "64 bytes or more"),
        (('name = "memory"', 'name = "memory"\ncapacity = 1000000'), "no capacity for the last level"),
        (('name = "memory"', 'name = "L1"'), "a name of its own"),
        (('name = "memory"', 'name = "registers"'), "a name of its own"),
        (('name = "memory"', 'name = "tape"'), "line.tape"),
        (
            ('name = "memory"', 'name = "L2"\ncapacity = "1KiB"\n[[levels]]\nname = "memory"'),
            "fastest, and smallest, first",
        ),
        (("loop = 3.0", "loops = 3.0"), "loops"),
        (("loop = 3.0", "loop = nan"), "finite"),
        (("loop = 3.0", "loop = -1"), "0 or more"),
        (("arithmetic = 1", "arithmetic = 0"), "ports.arithmetic"),
        (("[ports]", "[handling]\nscattered = -1\n[ports]"), "handling.scattered"),
        (("[ports]", "[layouts]\nblocked = 0\n[ports]"), "layouts.blocked"),
        (("[ports]", "[handling]\nscatter = 1\n[ports]"), "keys of summed scattered"),
        (("[ports]", "[writing]\nunrolled = 0\n[ports]"), "expected an integer from 1 to 1048576 for writing.unrolled"),
        (("[ports]", "[writing]\nrows = 4\n[ports]"), "keys of unrolled walked"),
        (("[ports]", "[writing]\nblock = 12\n[ports]"), "a power of two from 2 to 64 for writing.block"),
        (("[ports]", "[spans]\nline = 96\n[ports]"), "a power of two from 16 to 1024 for spans.line"),
        (("[ports]", "[spans]\npage = 2048\n[ports]"), "a power of two from 4096 to 1048576 for spans.page"),
        (("[ports]", "[spans]\nword = 4\n[ports]"), "keys of line page"),
        (("[ports]", '[learned]\n"line.L1" = 5.0\n[ports]'), "from 0.25 to 4"),
        (("[ports]", '[learned]\n"line.L1" = "2"\n[ports]'), "for learned.line.L1"),
        (("[ports]", '[learned]\n"line.L9" = 2.0\n[ports]'), "found 'line.L9'"),
        (("[ports]", "[ports"), "expected TOML"),
        (('name = "small"', 'name = "sm/all"'), "a word"),
    ],
)
def test_a_wrong_description_says_where(write, change, says):
    assert change[0] in GOOD
    path = write(GOOD.replace(*change))
    with pytest.raises(TargetError) as error:
        load(path)
    message = str(error.value)
    assert says in message and str(path) in message and "\n" not in message.strip()
    assert re.search(r"expected .*found .*; ", message)


def test_without_levels_it_says_what_to_add(write):
    with pytest.raises(TargetError, match="levels.*add them"):
        load(write('base = "avx2"'))


def test_a_missing_file_is_a_target_error(tmp_path):
    with pytest.raises(TargetError, match="check its path"):
        load(tmp_path / "none.toml")


def test_a_file_that_is_no_text_is_a_target_error(tmp_path):
    path = tmp_path / "machine.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TargetError, match="expected TOML"):
        load(path)

"""A machine's parameters: declared once, believed within bounds, and what follows from them."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from griotte.compiler.session import Session
from griotte.engine.table.keys import target_key
from griotte.lang.functions import Slots
from griotte.lang.text.text import parse
from griotte.machine import COEFFICIENTS, named
from griotte.machine.core import OPTIONAL, Level
from griotte.machine.described import text
from griotte.machine.description import load
from griotte.machine.machine import BY_NAME, DEFAULTS, FAR, PARAMETERS, applied, derive, table
from griotte.support.errors import TargetError
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

DOCS = Path(__file__).parents[2] / "docs"
SETTINGS = st.fixed_dictionaries({}, optional={p.name: st.floats(p.least, p.most) for p in PARAMETERS})


def written(folder, table):
    path = folder / "machine.toml"
    path.write_text(
        f'base = "portable"\n[[levels]]\nname = "L1"\ncapacity = "32KiB"\n[[levels]]\nname = "memory"\n{table}'
    )
    return path


def test_every_parameter_is_declared_whole():
    assert len(PARAMETERS) == len(BY_NAME) <= 46
    for p in PARAMETERS:
        assert p.least <= p.default <= p.most and p.unit and p.meaning and p.source and p.probe


def test_the_table_in_the_docs_is_the_declaration():
    assert table() in (DOCS / "reference/parameters.md").read_text()


@given(SETTINGS, st.sampled_from([0, 16384]))
def test_prices_are_none_below_zero_and_rise_from_level_to_level(given_, far_ahead):
    prices = derive(given_, far_ahead).coefficients
    aliased, abreast, turned = (
        {name: cycles for name, cycles in prices.items() if name.startswith(f"{of}.")} for of in OPTIONAL
    )
    assert min(prices.values()) >= 0 and set(prices) <= {*COEFFICIENTS, *aliased, *abreast, *turned}
    assert list(abreast.values()) == sorted(abreast.values())
    for name in ("run", "start"):  # of rows on the same sets too: a view to the nearer would be paid for
        in_all = [prices[f"{name}.{level}"] + aliased.get(f"aliased.{level}", 0.0) for level in FAR]
        assert in_all == pytest.approx(sorted(in_all))
    for name in ("line", "stream", "store", "result", "late", "run", "start", "strip", "crowded", "panel"):
        by_level = [prices[f"{name}.{level}"] for level in ("L1", *FAR)]
        assert by_level == sorted(by_level)


@given(
    SETTINGS,
    st.sampled_from(
        [p for p in PARAMETERS if p.name.partition(".")[0] in ("read", "write", "page", "leaf", "fork", "transfer")]
    ),
)
def test_what_takes_longer_costs_no_less(given_, parameter):
    slower = derive(given_ | {parameter.name: parameter.most})
    assert all(
        slower.coefficients[name] >= cycles * (1 - 1e-12) for name, cycles in derive(given_).coefficients.items()
    )


def test_rows_on_the_same_sets_take_more_from_no_nearer_than_l2():
    first = {"first.L2": 0.0, "first.L3": 3.0, "first.memory": 90.0}
    prices = derive(first | {"aliased.L2": 5.0}).coefficients
    assert [prices[f"aliased.{level}"] for level in FAR] == [5.0, 2.0, 0.0]
    assert derive(first).coefficients == {k: v for k, v in prices.items() if not k.startswith("aliased.")}


def test_rows_beside_many_others_take_what_was_measured_and_no_less_than_a_share_of_a_read():
    read = {"read.L3": 4.0, "read.memory": 10.0}
    crowded = lambda **more: [derive(read | more).coefficients[f"crowded.{level}"] for level in FAR]
    assert crowded() == pytest.approx([0.0, 1.6, 4.0])
    assert crowded(**{"crowded.L3": 0.25, "crowded.memory": 10.0}) == pytest.approx([0.0, 1.6, 10.0])


@given(SETTINGS, st.sampled_from(["L2", "L3", "memory"]))
def test_what_hides_costs_no_more(given_, level):
    whole = derive(given_ | {f"hidden.{level}": 1.0})
    assert all(whole.coefficients[name] <= cycles * (1 + 1e-12) for name, cycles in derive(given_).coefficients.items())
    assert whole.crossing["behind"] >= derive(given_).crossing["behind"]


def test_the_defaults_come_near_the_prices_by_hand():
    """Of the Xeon; what differs more is in docs/lab/probes-2026-11.md."""
    prices, apart = derive(DEFAULTS, 16384).coefficients, {"start.memory", "strip.memory", "line.memory"}
    for name in set(prices) - apart:
        assert prices[name] == pytest.approx(COEFFICIENTS[name], rel=0.35, abs=0.8), name


@examples(25)
@given(SETTINGS)
def test_a_priced_target_written_is_the_same_target(tmp_path_factory, given_):
    target, path = applied(named("avx2"), given_, {}), tmp_path_factory.mktemp("machine") / "machine.toml"
    in_order = lambda each: replace(each, coefficients=tuple(sorted(each.coefficients)))
    path.write_text(text(target, given_))
    assert in_order(load(path)) == in_order(target)
    path.write_text(text(target))
    assert in_order(load(path)) == in_order(target)


def test_what_a_file_says_itself_comes_before_what_follows(tmp_path):
    target = load(
        written(
            tmp_path,
            '[machine]\n"read.memory" = 20.0\nlatency = 3.0\nmultiply_add = 1.0\nmixed ='
            ' 3.0\n[coefficients]\n"stream.memory" = 7.0\n[ports]\nadders = 0.5\n[latency]\ncombine = 2.0\n',
        )
    )
    assert (target.coefficient["stream.memory"], target.coefficient["line.memory"]) == (
        7.0,
        derive({"read.memory": 20.0}).coefficients["line.memory"],
    )
    assert (target.ports.arithmetic, target.ports.adders) == (1.0, 0.5)
    assert {k.name: k.latency for k in target.kernels if k.name in ("multiply_add", "combine")} == {
        "multiply_add": 3.0,
        "combine": 2.0,
    }


CURVE = {"curve.1": 4.0, "curve.16": 4.0, "curve.64": 9.0, "read.L3": 4.0, "read.memory": 10.0, "shared.memory": 1.5}


def by_hand(given_):
    """A target with 4 MiB of L3, of which nothing is counted, priced by these."""
    found = applied(named("avx2"), given_, {})
    levels = [level for level in found.levels if level.name != "L3"]
    return replace(found, levels=(*levels[:-1], Level("L3", 4 << 20, 0.0), levels[-1]))


@pytest.mark.parametrize("mib, cycles", [(5, 4.0), (16, 4.0), (32, 6.0), (64, 10.0), (1 << 13, 10.0)])
def test_a_line_costs_what_was_measured_of_so_many_bytes(mib, cycles):
    """Where that is near to what is usual, that."""
    target = by_hand(CURVE)
    called, price = target.called(mib << 20), target.coefficient
    assert called.coefficient["stream.memory"] == pytest.approx(cycles, rel=2 ** (1 / 16) - 1)
    assert called.called(mib << 20, 2) is called  # its prices are those of the call already
    assert {name for name in price if called.coefficient[name] != price[name]} <= {n for n in price if "memory" in n}


@pytest.mark.parametrize("mib", [5, 16, 32, 48])
def test_all_prices_of_what_is_held_in_part_lie_between_two_levels(mib):
    target = by_hand(CURVE)
    called, price = target.called(mib << 20).coefficient, target.coefficient
    for name in ("line", "stream", "store", "result", "late", "start", "run", "strip", "crowded"):
        low, high = sorted((price[f"{name}.L3"], price[f"{name}.memory"]))
        assert low * (1 - 1e-9) <= called[f"{name}.memory"] <= high * (1 + 1e-9), name


def test_a_cache_that_is_slower_the_more_of_it_is_used():
    target = by_hand({"curve.1": 4.0, "curve.4": 16.0, "read.L2": 2.0, "read.L3": 4.0})
    called = target.called(4 << 20)
    assert called.coefficient["stream.L3"] == 16.0 and called.coefficient["start.L3"] == target.coefficient["start.L3"]
    assert called.coefficient["store.L3"] == 4 * target.coefficient["store.L3"]


def test_what_is_a_little_more_than_a_cache_is_a_little_dearer():
    target = by_hand({"curve.1": 8.0, "curve.4": 8.0, "read.L2": 2.0, "read.L3": 8.0})
    capacity = target.levels[2].capacity
    found = [target.called(capacity * (1 + part / 8)).coefficient["stream.L3"] for part in range(1, 9)]
    assert found == sorted(found) and found[0] < 5.0 and (capacity > 1 << 19 or found[-1] == 8.0)


def test_memory_is_no_nearer_than_the_cache_before_it():
    called = by_hand(CURVE | {"curve.1": 0.5, "curve.16": 0.5}).called(5 << 20)
    assert called.coefficient["stream.memory"] == pytest.approx(called.coefficient["stream.L3"], rel=0.05)


def test_what_is_near_or_was_not_measured_is_priced_as_its_level():
    assert by_hand(CURVE).called(100 << 10).coefficients == by_hand(CURVE).coefficients
    assert by_hand({}).called(64 << 20) == by_hand({})


def test_threads_add_to_a_line_what_a_second_one_does():
    target = by_hand({"shared.memory": 1.5, "shared.L3": 1.2, "read.memory": 10.0})
    for threads in (1, 2, 3):
        called = target.called(64 << 20, threads).coefficient
        assert called["stream.memory"] == pytest.approx(10.0 * (1 + 0.5 * (threads - 1)))
        assert called["store.L3"] == pytest.approx(target.coefficient["store.L3"] * (1 + 0.2 * (threads - 1)))
        assert called["stream.L2"] == target.coefficient["stream.L2"]


def test_threads_that_write_add_what_a_second_writer_does():
    target = by_hand({"shared.memory": 1.5, "written.memory": 1.25, "read.memory": 10.0})
    price, called = target.coefficient, target.called(64 << 20, 2).coefficient
    assert called["stream.memory"] == pytest.approx(15.0)
    for name in ("store", "result", "late", "nontemporal"):
        assert called[f"{name}.memory"] == pytest.approx(1.25 * price[f"{name}.memory"])


def test_each_thread_goes_over_its_share_of_the_bytes():
    target = by_hand(CURVE | {"shared.memory": 1.0})
    assert target.called(64 << 20, 2).coefficients == target.called(32 << 20, 1).coefficients


def test_specs_of_about_one_size_have_one_table():
    target = by_hand(CURVE)
    keys = {target_key(target.called(count)) for count in range(20 << 20, 80 << 20, 1 << 20)}
    assert 1 < len(keys) < 12


def test_what_calls_of_one_size_are_priced_by_is_made_once():
    target = by_hand(CURVE | {"shared.memory": 1.5})
    assert target.called(64 << 20) is target.called((64 << 20) + 4096)
    assert target.called(64 << 20, 2) is not target.called(64 << 20) is not target.called(16 << 20)
    session = Session(target, table="none")
    of = lambda rows: session.of_call(parse(f"exp(f32[{rows},524288])"))
    assert of(16) is of(16) and of(16) is not of(4) and of(16).target is target.called(64 << 20)


def test_functions_and_conversions_that_were_measured_are_written(tmp_path):
    target, path = named("avx2"), tmp_path / "machine.toml"
    functions = dict(target.functions) | {"exp": Slots(19.0, 9.5)}
    conversions = dict(target.conversions) | {("f32", "s8"): 16.0}
    target = replace(target, functions=tuple(functions.items()), conversions=tuple(conversions.items()))
    path.write_text(text(target))
    assert '"exp" = [19.0, 9.5]' in path.read_text() and load(path) == target


def test_without_the_table_nothing_follows(tmp_path):
    assert load(written(tmp_path, "")).coefficient == COEFFICIENTS


@pytest.mark.parametrize(
    "table, says",
    [
        (
            "[machine]\nreads = 2.0",
            r"expected keys of multiply_add .* transfer for machine in .*, found 'reads'; remove or rename it",
        ),
        (
            '[machine]\n"hidden.L2" = 1.5',
            r"expected a number from 0 to 1 for machine\.hidden\.L2 in .*, found 1\.5; write one",
        ),
        ("[machine]\nload = 0", r"expected a number from 0\.05 to 16 for machine\.load in .*, found 0; write one"),
        ('[machine]\npage = "8"', r"expected a number from 0 to 512 for machine\.page in .*, found '8'; write one"),
        ("[machine]\npage = nan", r"for machine\.page in .*, found nan"),
        ("[functions]\nexp = 3", r"expected \[all, multiplying\] for functions\.exp in .*, found 3"),
        ("[functions]\nwarp = [1, 1]", r"expected keys of .* for functions in .*, found 'warp'"),
        ('[conversions]\n"f32" = 1', r"expected two dtypes as keys for conversions in .*, found 'f32'"),
        ("[curve]\nmany = 1", r"expected bytes as keys for curve in .*, found 'many'"),
        ("[shared]\nL7 = 2", r"expected keys of L1 memory for shared in .*, found 'L7'"),
        ("[written]\nL7 = 2", r"expected keys of L1 memory for written in .*, found 'L7'"),
        ("[shared]\nL1 = 0.5", r"expected a number from 1 to 64 for shared\.L1 in .*, found 0\.5"),
    ],
)
def test_a_bad_table_is_told(tmp_path, table, says):
    with pytest.raises(TargetError) as error:
        load(written(tmp_path, table))
    assert re.search(says, str(error.value))


def test_the_table_must_be_one(tmp_path):
    path = tmp_path / "machine.toml"
    path.write_text('machine = 3\nbase = "portable"\n[[levels]]\nname = "memory"\n')
    with pytest.raises(TargetError, match=r"expected a table for machine in .*, found 3; write \[machine\]"):
        load(path)


@pytest.mark.parametrize("mib, level", [(0.1, "L2"), (5, "memory")])
def test_a_target_of_a_call_knows_where_its_arrays_rest_if_its_prices_ask(mib, level):
    target = by_hand(CURVE)
    called, plain = target.called(mib * (1 << 20)), replace(target, crossing=replace(target.crossing, walked=0.0))
    assert target.levels[int(called.crossing.rests)].name == level and target.crossing.rests == 0
    assert plain.called(mib * (1 << 20)).crossing == plain.crossing

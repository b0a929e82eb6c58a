"""A machine's parameters: declared once, believed within bounds, and what follows from them."""

import re
from pathlib import Path

import pytest
from griotte.machine import COEFFICIENTS, named
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
    assert len(PARAMETERS) == len(BY_NAME) <= 26
    for p in PARAMETERS:
        assert p.least <= p.default <= p.most and p.unit and p.meaning and p.source and p.probe


def test_the_table_in_the_docs_is_the_declaration():
    assert table() in (DOCS / "machine.md").read_text()


@given(SETTINGS, st.sampled_from([0, 16384]))
def test_prices_are_none_below_zero_and_rise_from_level_to_level(given_, far_ahead):
    prices = derive(given_, far_ahead).coefficients
    aliased = {name: cycles for name, cycles in prices.items() if name.startswith("aliased.")}
    assert min(prices.values()) >= 0 and set(prices) <= set(COEFFICIENTS) | set(aliased)
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
    path.write_text(text(target, given_))
    assert load(path) == target
    path.write_text(text(target))
    assert load(path) == target


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

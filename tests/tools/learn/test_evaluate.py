"""What models are worth: ways to hold out, figures, tables, drawings."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from griotte.engine.learned.samples import Group, Samples
from griotte.support.errors import GriotteError
from griotte.tools.learn import plot, tables
from griotte.tools.learn.evaluate import ALL, GRAPHS, against, evaluate, fits, updated
from griotte.tools.learn.fit import fit
from griotte.tools.learn.scores import judge, summary, tau
from griotte.tools.learn.splits import splits
from timed_programs import NAMES, OPERATIONS, timed

SAMPLES = timed(15, 10)


@pytest.fixture(scope="module")
def found():
    return evaluate(SAMPLES, NAMES, "spec", 2, "ridge")


def programs(times, spread=0.0, operation="relu"):
    """Programs of one Spec."""
    times, nothing = np.asarray(times, float), np.zeros(len(times))
    group = (Group("a Spec", operation, 1, "portable", "a machine"),)
    return Samples(1, group, nothing.astype(int), nothing[:, None], times, times, nothing, nothing + spread)


# Figures --------------------------------------------------------------------------------------------------------------


def test_figures_of_an_order():
    samples = programs([1.0, 1.005, 1.1, 2.0, 3.0, 4.0, 5.0])
    (one,) = judge(samples, np.log([3.0, 4.0, 2.0, 5.0, 6.0, 7.0, 1.0]))  # 5.0, 1.1, 1.0, ..
    assert one.lost[:3] == (4.0, 0.0, 0.0) and (one.chosen, one.best, one.runs) == (5.0, 1.0, 3)
    assert one.random == 8 / 3  # of seven two are as good as the best
    assert one.errors[1] == 7


def test_tau_is_of_pairs_that_the_clock_tells_apart():
    times, order = np.array([1.0, 1.01, 1.5, 2.0, 3.0]), np.array([2.0, 1.0, 4.0, 3.0, 5.0])
    (one,) = judge(programs(times), order)
    apart = [(i, j) for i, j in combinations(range(5), 2) if np.log(times[j] / times[i]) > 0.02]
    right = sum(order[i] < order[j] for i, j in apart)
    assert one.pairs == (right, len(apart) - right) == (8, 1)
    assert tau([one.pairs]) == 7 / 9 and tau([]) == 1.0
    (noisy,) = judge(programs(times, spread=0.3), order)
    assert sum(noisy.pairs) < sum(one.pairs)


def test_errors_of_predicted_times_are_relative():
    samples = programs([1.0, 2.0, 4.0, 8.0, 16.0])
    assert summary(judge(samples, np.log(samples.warm * 1.1)))["mape"] == pytest.approx(0.1)
    assert summary(judge(samples, np.log(samples.warm)))["ape"] == 0.0


def test_few_programs_are_not_judged():
    assert judge(programs([1.0, 2.0, 3.0, 4.0]), np.zeros(4)) == [] and summary([]) == {"specs": 0}


# Ways to hold out -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by, count", [("spec", 5), ("operation", 3), ("random", 5), ("machine", 2)])
def test_each_program_is_held_out_once(by, count):
    samples = timed(15, 10, machines=2)
    parts = splits(samples, by, 0)
    assert len(parts) == count and np.sum([part.out for part in parts], 0).tolist() == [1] * len(samples)
    words = {"operation": lambda g: g.operation, "machine": lambda g: g.machine, "spec": lambda g: g.spec}.get(by)
    for part in parts if words else ():
        inside, outside = ({words(samples.groups[n]) for n in samples.group[rows]} for rows in (~part.out, part.out))
        assert not inside & outside


def test_seeds_hold_out_other_specs():
    one, other = (splits(SAMPLES, "spec", seed)[0].out for seed in (0, 1))
    assert (one != other).any()


def test_one_machine_cannot_be_held_out():
    with pytest.raises(GriotteError, match="expected timed programs of two machines or more to hold one out, found 1"):
        splits(SAMPLES, "machine", 0)
    with pytest.raises(GriotteError, match="expected a way to hold out"):
        splits(SAMPLES, "weather", 0)


# What is said ---------------------------------------------------------------------------------------------------------


def test_a_model_is_better_than_a_price_that_errs(found):
    price, model = (found.ways[way][ALL][0] for way in ("price", "model"))
    assert model["first"] < 0.5 * price["first"] and model["tau"] > price["tau"] and model["runs"] < price["runs"]
    assert model["mape"] < price["mape"] and found.known > 0.9
    assert set(found.ways["price"]) == {ALL, GRAPHS, *OPERATIONS}
    assert found.ways["price"][GRAPHS] == found.ways["price"]["graph:softmax"]


def test_corrected_prices_are_better_too(found):
    price, corrected = (found.ways[way][ALL][0] for way in ("price", "prices"))
    assert corrected["first"] < 0.6 * price["first"] and corrected["tau"] > price["tau"]


def test_models_have_not_seen_what_they_are_judged_by():
    """Of Specs whose errors are their own alone a model that had seen them would know the sign; one that had not is no
    better than the price."""
    rng = np.random.default_rng(0)
    features = np.column_stack([SAMPLES.features, rng.normal(size=(len(SAMPLES), 1))])
    sign = rng.choice((-1.0, 1.0), len(SAMPLES.groups))[SAMPLES.group]
    warm = SAMPLES.price * np.exp(-8 + 0.3 * sign * features[:, -1])
    found = evaluate(replace(SAMPLES, features=features, warm=warm), (*NAMES, "luck"), "spec", 1, "ridge")
    price, model = (found.ways[way][ALL][0]["tau"] for way in ("price", "model"))
    assert abs(model - price) < 0.12


def test_programs_at_random_have_no_updates():
    found = evaluate(SAMPLES, NAMES, "random", 1, "ridge")
    assert "updates" not in found.ways and "| price | model |" in tables.tables(found)


def test_updates_order_all_programs_of_a_spec():
    model, part = fit(SAMPLES, NAMES, "ridge"), SAMPLES.of_groups([2])
    order, stop = updated(model, part)
    assert sorted(order.tolist()) == list(range(len(part))) and 1 <= stop <= len(part)


def test_a_model_is_not_judged_by_what_it_was_fitted_to():
    model = fit(SAMPLES, NAMES, "ridge")
    with pytest.raises(GriotteError, match="expected timed programs that the model was not fitted to"):
        against(SAMPLES, model)
    found = against(timed(15, 10, seed=5, machines=2), model)
    assert found.ways["model"][ALL][0]["tau"] > found.ways["price"][ALL][0]["tau"]


def test_fits_are_counted():
    told = []
    evaluate(SAMPLES, NAMES, "operation", 2, "ridge", lambda: told.append(1))
    assert len(told) == fits(SAMPLES, "operation", 2) == 6


# Tables and drawings --------------------------------------------------------------------------------------------------


def test_tables_tell_both(found):
    text = tables.tables(found)
    assert "150 programs of 15 Specs, Specs held out at random; learner ridge" in text
    for operation in (ALL, GRAPHS, *OPERATIONS):
        assert f"\n| {operation} | " in text
    assert all(line.count("|") == text.splitlines()[2].count("|") for line in text.splitlines()[2:9])
    assert "| regret of the first choice | " in text and "Updates see nothing to gain after" in text


def test_facts_are_means_over_seeds(found):
    said, two = tables.facts(found), [row["first"] for row in found.ways["model"][ALL]]
    assert said["ways"]["model"][ALL]["first"] == pytest.approx(np.mean(two))
    assert said["apart"]["model"][ALL]["first"] == pytest.approx(np.ptp(two))


def test_tables_are_written_between_marks(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- by griotte learn eval --by spec -->\nold\n<!-- end -->\nb\n<!-- end -->\n")
    for text in ("one", "two \\1"):
        tables.write_between(page, "spec", text)
    assert (
        page.read_text() == "a\n<!-- by griotte learn eval --by spec -->\n\ntwo \\1\n\n<!-- end -->\nb\n<!-- end -->\n"
    )
    with pytest.raises(GriotteError, match="expected the lines <!-- by griotte learn eval --by operation --> and"):
        tables.write_between(page, "operation", "three")
    with pytest.raises(GriotteError, match="expected a page of text, found No such file"):
        tables.write_between(tmp_path / "none.md", "spec", "three")


def test_a_page_has_a_panel_for_each_operation(found, tmp_path):
    plot.write(str(tmp_path / "p.html"), found)
    text = (tmp_path / "p.html").read_text()
    assert text.count("<svg") == 3 and text.count('class="model" cx') == text.count('class="price" cx') == len(SAMPLES)
    assert "graph:softmax" in text and "nan" not in text and "src=" not in text


def test_a_picture_is_drawn(found):
    pytest.importorskip("matplotlib", reason="pictures need matplotlib: griotte[plot]")
    assert plot.png(found).startswith(b"\x89PNG")


def test_another_ending_is_refused(found):
    with pytest.raises(GriotteError, match="expected --plot with a name that ends in .html or .png, found p.pdf"):
        plot.write("p.pdf", found)

"""The model's file: what is written is read, and what is no such file is told in a line."""

import json

import numpy as np
import pytest
from griotte.engine.learned.learners import Forest
from griotte.engine.learned.model import PerformanceModel, Prediction
from griotte.engine.learned.text import LARGEST
from griotte.support.errors import GriotteError
from griotte.tools.learn.fit import fit
from timed_programs import NAMES, timed

SAMPLES = timed(12, 8)
TREES = Forest(  # one tree for each of two members: the first asks twice
    np.array([0, 1, -1, -1, -1, -1]),
    np.array([10.0, 0.3, -0.1, 0.1, 0.3, 0.2]),
    np.array([4, 3, 0, 0, 0, 0]),
    np.array([0, 5]),
    np.array([0, 1]),
)


@pytest.fixture(scope="module")
def model():
    return fit(SAMPLES, NAMES, "ridge")


@pytest.fixture(scope="module", params=["ridge", "trees"])
def each(request, model):
    return model if request.param == "ridge" else PerformanceModel(**vars(model) | {"learner": TREES})


def test_what_is_saved_is_loaded(each, tmp_path):
    each.save(tmp_path / "m.gtm")
    found = PerformanceModel.load(tmp_path / "m.gtm")
    assert found.origin == each.origin and found.names == NAMES and found.accuracy == each.accuracy
    for one, other in zip(
        each.predict(SAMPLES.features, SAMPLES.price), found.predict(SAMPLES.features, SAMPLES.price)
    ):
        assert np.allclose(one, other, atol=1e-6)
    assert found.text() == PerformanceModel.load(tmp_path / "m.gtm").text()


def test_trees_say_what_their_nodes_say():
    rows = np.array([[10.0, 0.3], [10.0, 0.31], [10.1, 0.0]])
    assert np.allclose(TREES.members(rows), [[-0.1, 0.1, 0.3], [0.2, 0.2, 0.2]])
    assert TREES.members(rows[:0]).shape == (2, 0)
    assert np.allclose(TREES.terms(np.ones(2)), [0.15, 0.1])  # of the root 0.3 - 0, of what is below it 0.1 + 0.1


def test_a_program_unlike_all_others_is_not_known(model):
    features = SAMPLES.features[:3].copy()
    features[1, 1] = 40.0
    features[2, 0] = np.nan
    found = model.predict(features, SAMPLES.price[:3])
    assert found.known.tolist() == [True, False, False] and not found.correction[1:].any() and found.correction[0]
    assert (found.spread[1:] == model.accuracy.price).all()
    assert not model.predict(SAMPLES.features[:1], [0.0]).known[0]


def test_a_constant_feature_that_changes_is_not_known(model):
    features = SAMPLES.features[:1].copy()
    features[0, -1] = 9.0
    assert not model.predict(features, SAMPLES.price[:1]).known[0]


def test_unknown_programs_leave_the_order_to_the_price():
    correction, spread = np.array([0.2, 0.4, 0.0]), np.zeros(3)
    log = Prediction(correction, spread, np.array([True, True, False])).logarithm([1.0, 1.0, np.e])
    assert np.allclose(log, [0.2, 0.4, 1.3])  # the mean of those that are known
    log = Prediction(correction, spread, np.array([True, False, False])).logarithm([1.0, 1.0, np.e])
    assert np.allclose(log, [0, 0, 1])


def test_features_of_another_number_are_refused(model):
    with pytest.raises(GriotteError, match="expected 6 features and a price of each program, found arrays of"):
        model.predict(SAMPLES.features[:, 1:], SAMPLES.price)
    model.must_have(1, NAMES)
    with pytest.raises(GriotteError, match="expected a performance model of version 2 of the features, found one"):
        model.must_have(2, NAMES)


def test_a_thousand_programs_are_predicted_at_once(model):
    """More rows than one block has, of both learners, say what each says by itself."""
    rows = np.tile(SAMPLES.features, (50, 1))
    for learner in (model.learner, TREES):
        assert np.allclose(learner.members(rows)[:, : len(SAMPLES)], learner.members(SAMPLES.features))
    assert np.allclose(model.seen.distance(rows)[-len(SAMPLES) :], model.seen.distance(SAMPLES.features))


# What is no model ----------------------------------------------------------------------------------------------------


def changed(*path, to):
    """A change of a file's data at a path of keys."""

    def change(data):
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = to

    return change


RIDGE = {
    "another form": (changed("version", to=2), "expected 1 as version, found 2"),
    "a foreign file": (changed("format", to="cake"), "expected a performance model, found another JSON file"),
    "no learner": (changed("learner", to="oracle"), "expected ridge or trees or network as learner, found oracle"),
    "a learner that is not there": (changed("learner", to="trees"), "expected a table as trees, found none"),
    "text for a number": (changed("shrink", to="1"), "expected a number from 0 to 1 as shrink, found 1"),
    "true for a number": (changed("shrink", to=True), "expected a number from 0 to 1 as shrink, found true"),
    "a shrink that grows": (changed("shrink", to=1.5), "expected a number from 0 to 1 as shrink, found 1.5"),
    "a number too large": (changed("shrink", to=10**400), "as shrink"),
    "an overflow": (changed("accuracy", "noise", to=1e200), "as accuracy.noise"),
    "too few weights": (changed("ridge", "weights", to=[1.0]), "expected a list of 30 numbers"),
    "text among weights": (changed("ridge", "weights", to=["1.0"] * 30), "expected a list of 30 numbers"),
    "no members": (changed("ridge", "members", to=0), "expected one member or more as ridge.members, found none"),
    "many members": (changed("ridge", "members", to=1 << 40), "expected a whole number from 0 to 32"),
    "no names": (changed("features", "names", to=[]), "expected one feature or more as features.names"),
    "names that are long": (changed("features", "names", to=["x" * 2000]), "short texts as features.names"),
    "no points": (changed("seen", "point_count", to=0), "expected one point or more as seen.point_count"),
    "a scale of zero": (changed("seen", "scale", to=[0] * 6), "expected scales above 0 as seen.scale"),
    "a table for a list": (changed("seen", "mean", to={}), "expected a list of 6 numbers"),
    "a list for a table": (changed("origin", to=[]), "expected a table as origin, found []"),
    "a text for a count": (changed("origin", "programs", to={"matmul": "many"}), "as origin.programs.matmul"),
    "many words": (changed("origin", "earned", to={str(n): {} for n in range(999)}), "a table of at most 256 keys"),
}
FOREST = {
    "a tree that leads back": (changed("trees", "right", to=[1, 3]), "nodes that lead to nodes further behind"),
    "a node that is not there": (changed("trees", "right", to=[9, 3]), "whole numbers from 0 to 5"),
    "a feature that is not there": (changed("trees", "feature", to=[12, 1, -1, -1, -1, -1]), "from -1 to 11"),
    "no trees": (changed("trees", "root", to=[]), "expected a list of 1 to 8192 items as trees.root, found []"),
    "many members": (changed("trees", "member", to=[0, 1 << 30]), "whole numbers from 0 to 31"),
    "lists of other lengths": (changed("trees", "number", to=[0.0]), "expected a list of 6 numbers"),
    "no way to the right": (changed("trees", "right", to=[]), "expected a list of 2 whole numbers"),
    "an inner node at the end": (changed("trees", "feature", to=[0, 1, -1, -1, -1, 0]), "a list of 3 whole numbers"),
}


def refused(path, content):
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    with pytest.raises(GriotteError) as error:
        PerformanceModel.load(path)
    text = str(error.value)
    assert "\n" not in text and len(text) < 400 and str(path) in text and "griotte learn fit" in text
    return text


@pytest.mark.parametrize("learner, name", [("ridge", n) for n in RIDGE] + [("trees", n) for n in FOREST])
def test_a_hostile_file_is_told(model, tmp_path, learner, name):
    whole = model if learner == "ridge" else PerformanceModel(**vars(model) | {"learner": TREES})
    data, (change, message) = json.loads(whole.text()), (RIDGE if learner == "ridge" else FOREST)[name]
    change(data)
    assert message in refused(tmp_path / "m.gtm", data)


def test_deep_trees_are_refused(model, tmp_path):
    data = json.loads(PerformanceModel(**vars(model) | {"learner": TREES}).text())
    nodes = 201  # a chain: each node has a leaf, and the next node
    inner = [n % 2 == 0 and n < nodes - 1 for n in range(nodes)]
    data["trees"] = {
        "feature": [0 if i else -1 for i in inner],
        "right": [n + 2 for n, i in enumerate(inner) if i],
        "root": [0],
        "member": [0],
        "number": [0.0] * nodes,
    }
    assert "expected trees of at most 32 levels as trees, found 100" in refused(tmp_path / "m.gtm", data)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x80\x04\x95",
        b"[" * 100_000,
        b'{"format": NaN}',
        b'{"format": 1' + b"0" * 5000 + b"}",
        b"[1, 2]",
        b"\x1b[31m",
        b"{}",
    ],
    ids=["empty", "pickle", "deep", "no number", "long number", "list", "escapes", "other"],
)
def test_what_is_no_model_is_told(tmp_path, content):
    assert "\x1b" not in refused(tmp_path / "m.gtm", content)


def test_a_huge_file_is_not_read(tmp_path):
    assert f"at most {LARGEST} bytes, found more" in refused(tmp_path / "m.gtm", b" " * (LARGEST + 1))


def test_a_truncated_file_is_told(model, tmp_path):
    text = model.text().encode()
    for size in (10, len(text) // 2, len(text) - 3):
        refused(tmp_path / "m.gtm", text[:size])


def test_no_file_is_told(tmp_path):
    with pytest.raises(GriotteError, match="expected a performance model, found No such file or directory in"):
        PerformanceModel.load(tmp_path / "none.gtm")


def test_what_cannot_be_written_leaves_nothing(model, tmp_path):
    with pytest.raises(GriotteError, match="expected to write .*, found No such file or directory"):
        model.save(tmp_path / "none" / "m.gtm")
    assert not list(tmp_path.iterdir())


def test_a_model_that_is_too_large_is_not_written(model, tmp_path):
    many = PerformanceModel(**vars(model) | {"names": tuple("x" * 900 + str(n) for n in range(1500))})
    with pytest.raises(GriotteError, match="expected a performance model of at most 1048576 bytes"):
        many.save(tmp_path / "m.gtm")

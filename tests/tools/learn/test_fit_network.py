"""The network over trees: its gradient is that of finite differences, it finds a factor that one kind of node has, and
what a file says of it is what was fitted."""

import json

import numpy as np
import pytest
from griotte.engine.learned.network import Network, TreeBatch, passed, standard
from griotte.engine.learned.text import Section
from griotte.engine.learned.tree import COLUMNS, Tree, packed
from griotte.support.errors import GriotteError
from griotte.tools.learn import fit_network as module
from griotte.tools.learn.fit_network import back, begun, fit_network, loss, slope
from griotte.tools.learn.training import Training


def drawn_tree(rng, nodes=7):
    rows = rng.normal(size=(nodes, len(COLUMNS))).astype(np.float32)
    share = rng.random(nodes) * (np.arange(nodes) > 1)
    rows[:, COLUMNS.index("share")] = share / share.sum()
    edges = [(int(rng.integers(0, n)), n) for n in range(1, nodes)] + [(0, nodes - 1)]
    return Tree(rows, np.array(edges, np.int32))


def drawn_training(rng, groups=4, of=5):
    trees = [drawn_tree(rng, int(rng.integers(3, 9))) for _ in range(groups * of)]
    group = np.repeat(np.arange(groups), of)
    value = rng.normal(size=len(trees)) * 0.1
    rows = rng.normal(size=(len(trees), 3))
    weight = rng.random(len(trees)) + 0.5
    log = rng.normal(size=len(trees)) * 0.2
    theta = rng.random(groups)
    return Training(rows, value, weight, group, theta, np.arange(groups), log, tuple(map(packed, trees))), trees


@pytest.fixture(scope="module")
def step():
    rng = np.random.default_rng(1)
    training, trees = drawn_training(rng)
    rows = [np.flatnonzero(training.group == g) for g in range(training.groups)]
    found = module._step(training, trees, rows, (np.zeros(len(COLUMNS)), np.ones(len(COLUMNS))))
    batch = found.batch._replace(share=found.batch.share.astype(np.float64))
    for means in (batch.parts, batch.around, batch.tree):
        means._one = means._one.astype(np.float64)
    return found._replace(batch=batch, rows=found.rows.astype(np.float64))


def test_the_gradient_is_that_of_finite_differences(step):
    rng = np.random.default_rng(2)
    weights = {name: x + 0.2 * rng.normal(size=x.shape) for name, x in begun(rng, type=np.float64).items()}
    made = passed(weights, step.batch, step.rows)
    found = back(weights, step.batch, made, slope(made.found, step))
    assert set(found) == set(weights)
    for name, x in weights.items():
        for _ in range(6):
            at = tuple(int(rng.integers(0, n)) for n in x.shape)
            sides = []
            for by in (1e-6, -1e-6):
                moved = x.copy()
                moved[at] += by
                sides.append(loss(passed(weights | {name: moved}, step.batch, step.rows).found, step))
            assert found[name][at] == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=2e-3, abs=2e-8), name


def test_nodes_without_parts_and_programs_of_one_node(step):
    alone = Tree(np.ones((1, len(COLUMNS)), np.float32), np.zeros((0, 2), np.int32))
    rng = np.random.default_rng(3)
    weights = begun(rng)
    both = TreeBatch.of_trees([alone, drawn_tree(rng)])
    found = passed(weights, both, both.rows).found
    one = TreeBatch.of_trees([alone])
    assert found[0] == pytest.approx(passed(weights, one, one.rows).found[0], abs=1e-5)
    assert found[0] == pytest.approx(0.0, abs=1e-5)  # nothing is read out at first, and its share is all of the price


def taught(seed=0, groups=60, of=8):
    """Programs that err by what a column of the nodes that matter says."""
    rng = np.random.default_rng(seed)
    training, trees = drawn_training(rng, groups, of)
    share, kind = COLUMNS.index("share"), COLUMNS.index("copy")
    for tree in trees:
        tree.nodes[:, kind] = rng.integers(0, 2, len(tree.nodes))
    value = np.array(
        [np.log((tree.nodes[:, share] * np.where(tree.nodes[:, kind] > 0, 1.5, 1.0)).sum()) for tree in trees]
    )
    made = tuple(map(packed, trees))
    theta = np.zeros(groups)
    return Training(
        training.features, value, np.ones(len(value)), training.group, theta, np.arange(groups), 0 * value, made
    )


def test_it_finds_what_a_kind_of_node_takes(monkeypatch):
    monkeypatch.setattr(module, "EPOCHS", 40)
    training, other = taught(), taught(1, 20)
    network = fit_network(training, members=2)
    said = network.members(other.features, other.trees)
    assert said.shape == (2, len(other.value))
    left = other.value - said.mean(0)
    assert np.var(left) < 0.5 * np.var(other.value)


def test_without_trees_it_is_refused():
    rng = np.random.default_rng(0)
    training, _ = drawn_training(rng)
    with pytest.raises(GriotteError, match="expected timed programs with their trees"):
        fit_network(Training(**{**training.__dict__, "trees": ()}))


def test_a_file_says_what_was_fitted(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "EPOCHS", 1)
    training, _ = drawn_training(np.random.default_rng(5))
    network = fit_network(training, members=2)
    text = json.dumps(network.data())
    read = lambda text: Network.read(Section(tmp_path / "m.gtm", json.loads(text), "network."), 3)
    again = read(text)
    said = network.members(training.features, training.trees)
    assert np.allclose(said, again.members(training.features, training.trees), atol=1e-4)
    assert np.array_equal(again.members(training.features[:0]), np.zeros((2, 0)))
    for key, wrong in (("members", 0), ("width", 0), ("weights", [1.0]), ("scale", [0.0] * len(COLUMNS)), ("mean", 3)):
        with pytest.raises(GriotteError, match="m.gtm"):
            read(json.dumps(network.data() | {key: wrong}))


def test_what_is_far_is_as_far():
    rows = np.array([[1e30, -1e30, 0.5]], np.float32)
    assert np.abs(standard(rows, np.zeros(3, np.float32), np.ones(3, np.float32))).max() < 10

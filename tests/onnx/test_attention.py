"""Attention, angles and what is kept of the past: as ONNX has them beside its reference, with projections and masks
beside onnxruntime."""

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from onnx.reference import ReferenceEvaluator
from onnx_models import alone, beside, microsoft, node, of_node

RNG = np.random.default_rng(17)
F32 = np.float32
BATCH, LENGTH, HEADS, SIZE = 2, 5, 3, 4


def drawn(*shape):
    return RNG.standard_normal(shape).astype(F32)


def projection(inner=6, sizes=(HEADS * SIZE,) * 3):
    return {"w": drawn(inner, sum(sizes)), "b": drawn(sum(sizes))}


def masks(keys=LENGTH):
    """A mask in each of its forms."""
    full = RNG.integers(0, 2, (BATCH, LENGTH, keys)).astype(np.int32)
    full[..., 0] = 1
    return {
        "ends": np.array([3, keys], np.int32),
        "ends and starts": np.array([3, keys, 1, 0], np.int32),
        "keys": full[:, 0],
        "queries and keys": full,
    }


@pytest.mark.parametrize("causal", [0, 1])
@pytest.mark.parametrize("mask", ["", *masks()])
def test_attention_of_one(causal, mask):
    known = projection() | ({"m": masks()[mask]} if mask else {})
    made = microsoft("Attention", "x w b m" if mask else "x w b", num_heads=HEADS, unidirectional=causal)
    beside(made, {"x": drawn(BATCH, LENGTH, 6)}, known)


def test_a_mask_of_the_longest_rows():
    """Which onnxruntime has on GPUs alone: of it the first rows count."""
    x, known = drawn(BATCH, LENGTH, 6), projection()
    longest = RNG.integers(0, 2, (BATCH, 1, 9, 9)).astype(np.int32)
    found, made = [], microsoft("Attention", "x w b m", num_heads=HEADS)
    for mask in (longest, longest[:, 0, :LENGTH, :LENGTH]):
        found += of_node(made, {"x": x}, {"m": mask} | known)
    assert np.allclose(*found)


@pytest.mark.parametrize("causal", [0, 1])
def test_attention_of_one_with_a_past(causal):
    arrays = {"x": drawn(BATCH, LENGTH, 6), "p": drawn(2, BATCH, HEADS, 3, SIZE), "m": masks(8)["keys"]}
    made = microsoft("Attention", "x w b m p", "y q", num_heads=HEADS, unidirectional=causal, scale=0.3)
    beside(made, arrays, projection())
    del arrays["p"]
    arrays |= {"m": masks()["keys"], "e": drawn(1, HEADS, LENGTH, LENGTH)}
    beside(microsoft("Attention", "x w b m  e", num_heads=HEADS, unidirectional=causal), arrays, projection())


def test_attention_whose_values_are_longer():
    sizes = (HEADS * SIZE, HEADS * SIZE, HEADS * 7)
    made = microsoft("Attention", "x w b", num_heads=HEADS, qkv_hidden_sizes=sizes)
    beside(made, {"x": drawn(BATCH, LENGTH, 6)}, projection(sizes=sizes))


@pytest.mark.parametrize("weights", [np.uint8, np.int8])
def test_attention_of_integers(weights):
    n = 3 * HEADS * SIZE
    info = np.iinfo(weights)
    known = {
        "w": RNG.integers(info.min, info.max + 1, (6, n)).astype(weights),
        "b": drawn(n),
        "s": F32(0.02),
        "t": F32(0.01),
        "z": np.uint8(7),
        "v": weights(3),
    }
    x = RNG.integers(0, 256, (BATCH, LENGTH, 6)).astype(np.uint8)
    m = masks()["ends"]
    made = microsoft("QAttention", "x w b s t m z v", num_heads=HEADS, unidirectional=1)
    beside(made, {"x": x, "m": m}, known)
    beside(microsoft("QAttention", "x w b s t  z v", num_heads=HEADS), {"x": x}, known)


@pytest.mark.parametrize(("causal", "keys"), [(0, LENGTH), (1, LENGTH), (0, 7)])
def test_attention_of_three(causal, keys):
    wide = HEADS * SIZE
    arrays = {"q": drawn(BATCH, LENGTH, wide), "k": drawn(BATCH, keys, wide), "v": drawn(BATCH, keys, HEADS * 7)}
    given = {"num_heads": HEADS, "unidirectional": causal}
    known = {"b": drawn(2 * wide + HEADS * 7), "m": masks(keys)["keys"]}
    beside(microsoft("MultiHeadAttention", "q k v b m", **given), arrays, known)
    arrays["e"] = drawn(BATCH, 1, LENGTH, keys)
    beside(microsoft("MultiHeadAttention", "q k v   e", scale=0.7, **given), arrays, {})


def test_attention_of_three_with_a_past():
    wide = HEADS * SIZE
    arrays = {name: drawn(BATCH, 1, wide) for name in "qkv"} | {n: drawn(BATCH, HEADS, 6, SIZE) for n in ("pk", "pv")}
    made = microsoft("MultiHeadAttention", "q k v    pk pv", "y nk nv", num_heads=HEADS, unidirectional=1)
    beside(made, arrays, {})


def test_attention_of_what_stands_side_by_side():
    """Which onnxruntime has on GPUs alone, but for keys and values that are heads already."""
    wide = HEADS * SIZE
    q, k, v = (drawn(BATCH, LENGTH, HEADS, SIZE) for _ in range(3))
    heads = lambda x: x.transpose(0, 2, 1, 3)
    wanted = gt.interpret(
        gt.attention(*(gt.tensor((BATCH, HEADS, LENGTH, SIZE)) for _ in range(3))), *map(heads, (q, k, v))
    )
    rows = wanted.transpose(0, 2, 1, 3).reshape(BATCH, LENGTH, wide)
    flat = q.reshape(BATCH, LENGTH, wide)
    for arrays in ([np.stack([q, k, v], 3)], [flat, np.stack([k, v], 3)]):
        made = microsoft("MultiHeadAttention", " ".join("xy"[: len(arrays)]), "z", num_heads=HEADS)
        (found,) = of_node(made, dict(zip("xy", arrays)))
        assert np.allclose(found, rows, atol=1e-5)
    arrays = {"q": flat, "k": heads(k).copy(), "v": heads(v).copy()}
    beside(microsoft("MultiHeadAttention", "q k v", num_heads=HEADS), arrays, {})


def angles(most, half):
    turn = np.arange(most)[:, None] * 0.1 ** np.arange(half)
    return {"c": np.cos(turn).astype(F32), "s": np.sin(turn).astype(F32)}


@pytest.mark.parametrize("interleaved", [0, 1])
@pytest.mark.parametrize("positions", [[3], [[0, 1, 2, 3, 4]] * 2, [[0, 1, 2, 3, 4], [4, 2, 7, 0, 1]]])
@pytest.mark.parametrize("are_known", [False, True])
def test_angles_of_places(interleaved, positions, are_known):
    own = {"p": np.array(positions)}
    arrays = {"x": drawn(BATCH, LENGTH, HEADS * 8)} | ({} if are_known else own)
    known = angles(9, 4) | (own if are_known else {})
    beside(microsoft("RotaryEmbedding", "x p c s", interleaved=interleaved), arrays, known)
    arrays["x"] = drawn(BATCH, HEADS, LENGTH, 8)
    beside(microsoft("RotaryEmbedding", "x p c s", interleaved=interleaved), arrays, known)


@pytest.mark.parametrize("interleaved", [0, 1])
def test_angles_of_a_part(interleaved):
    made = microsoft("RotaryEmbedding", "x p c s", interleaved=interleaved, num_heads=HEADS, rotary_embedding_dim=4)
    beside(made, {"x": drawn(BATCH, LENGTH, HEADS * 8), "p": np.array([2])}, angles(9, 2))


def grouped(batch, new, total, room, heads=4, shared=2, size=16, ends=None, is_one=False, known=True, more="", **given):
    """A node that attends to a past of so many keys at most."""
    q, k = (batch, new, heads * size), (batch, new, shared * size)
    arrays = (
        {"q": drawn(batch, new, (heads + 2 * shared) * size)}
        if is_one
        else {"q": drawn(*q), "k": drawn(*k), "v": drawn(*k)}
    )
    if room:
        arrays |= {name: drawn(batch, shared, room, size) for name in ("pk", "pv")}
    lengths = {"l": np.array([total - 1] * batch if ends is None else ends, np.int32)}
    arrays |= {} if known else lengths
    if "e" in more.split(" "):
        arrays["e"] = drawn(1, heads, new, total)
    past = "pk pv" if room else " "
    made = microsoft(
        "GroupQueryAttention",
        f"q {'' if is_one else 'k'} {'' if is_one else 'v'} {past} l t{more}",
        "y nk nv",
        num_heads=heads,
        kv_num_heads=shared,
        **given,
    )
    constants = {"t": np.array(total, np.int32), "h": drawn(heads)} | angles(total + 3, size // 2)
    return made, arrays, constants | (lengths if known else {})


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("is_one", [False, True])
def test_heads_that_share_keys(known, is_one):
    beside(*grouped(2, 5, 5, 0, is_one=is_one, known=known))  # a prompt
    beside(*grouped(1, 1, 7, 6, is_one=is_one, known=known))  # one more
    beside(*grouped(1, 3, 7, 4, is_one=is_one, known=known))  # several more


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("interleaved", [0, 1])
def test_heads_that_share_keys_with_angles(known, interleaved):
    given = {"known": known, "do_rotary": 1, "rotary_interleaved": interleaved, "more": " c s"}
    beside(*grouped(2, 5, 5, 0, **given))
    beside(*grouped(1, 1, 7, 6, **given))
    beside(*grouped(2, 1, 7, 6, **given))


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("given", [{}, {"do_rotary": 1, "more": " c s"}, {"local_window_size": 3}])
def test_rows_that_end_in_different_places(known, given):
    beside(*grouped(3, 1, 7, 6, ends=[6, 3, 0], known=known, **given))


def test_a_window_of_keys():
    for new, total, room in ((5, 5, 0), (1, 7, 6), (3, 7, 4)):
        beside(*grouped(1, new, total, room, local_window_size=3))


def test_bound_scores_are_masked_where_onnxruntime_is_not_there():
    """A prompt by NumPy: what comes later counts nothing."""
    heads, shared, size, length, bound = 4, 2, 16, 5, 2.0
    made, arrays, known = grouped(1, length, length, 0, heads, shared, size, softcap=bound)
    found = of_node(made, arrays, known)[0]
    q, k, v = (x.reshape(length, -1, size).transpose(1, 0, 2).astype(np.float64) for x in arrays.values())
    k, v = (x.repeat(heads // shared, axis=0) for x in (k, v))
    scores = bound * np.tanh(q @ k.transpose(0, 2, 1) / np.sqrt(size) / bound)
    shares = np.exp(np.where(np.tri(length, dtype=bool), scores, -np.inf))
    wanted = (shares / shares.sum(-1, keepdims=True)) @ v
    np.testing.assert_allclose(found, wanted.transpose(1, 0, 2).reshape(1, length, -1), atol=1e-5)


def test_scores_that_are_bound_or_shared_with_none():
    beside(*grouped(1, 3, 7, 4, softcap=2.0))
    beside(*grouped(1, 3, 7, 4, smooth_softmax=1))
    beside(*grouped(1, 3, 7, 4, more="     h"))
    beside(*grouped(1, 3, 7, 4, more="    e", scale=0.2, softcap=5.0))
    beside(*grouped(2, 5, 5, 0, causal=0))


def test_keys_beyond_the_end_do_not_count():
    made, arrays, constants = grouped(2, 5, 5, 0, ends=[4, 2], causal=0, known=False)
    longer = arrays | {name: arrays[name].copy() for name in "kv"}
    for name in "kv":
        longer[name][1, 3:] = 9
    one, other = (of_node(made, given, constants)[0] for given in (arrays, longer))
    assert np.array_equal(one, other)


def test_norms_of_heads():
    """Which onnxruntime has on GPUs alone."""
    made, arrays, constants = grouped(1, 3, 3, 0, more="        g f", q_norm_epsilon=1e-3)
    constants |= {"g": drawn(16), "f": drawn(16)}
    _, k, _ = of_node(made, arrays, constants)
    rows = arrays["k"].reshape(1, 3, 2, 16).transpose(0, 2, 1, 3)
    assert np.allclose(k, rows / np.sqrt((rows**2).mean(-1, keepdims=True) + 1e-6) * constants["f"], atol=1e-5)


@pytest.mark.parametrize("known", [False, True])
def test_a_past_with_room_is_written_where_it_ends(known):
    beside(*grouped(1, 1, 4, 9, known=known))
    beside(*grouped(1, 2, 4, 9, ends=[3], known=known))


@pytest.mark.parametrize("given", [{"sliding_window_cache": 1, "local_window_size": 3}, {"qk_output": 1}])
def test_what_is_refused_of_heads_that_share_keys(given):
    assert gt.from_onnx(alone(*grouped(1, 1, 7, 6, **given))).unsupported()


# ---- as ONNX has it --------------------------------------------------------------------------------------------------


def agree(made, opset, **arrays):
    """What the node gives, by the reference of what was read; and its calls."""
    proto = alone(made, arrays, opset=opset)
    graph = gt.from_onnx(proto)
    assert graph.unsupported() == []
    found, wanted = interpret(graph, *arrays.values()), ReferenceEvaluator(proto).run(None, arrays)
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)
    return [value.call for value in graph.calls]


MASKS_OF_ONNX = {
    "none": None,
    "of floats": np.where(RNG.random((5, 7)) < 0.5, 0.3, -1).astype(F32),
    "that hides": RNG.random((2, 1, 5, 7)) < 0.5,
    "that hides all of a row": np.arange(5)[:, None] + np.zeros((5, 7)) != 2,
}


@pytest.mark.parametrize("mask", MASKS_OF_ONNX)
@pytest.mark.parametrize("causal", [0, 1])
def test_attention_of_onnx(mask, causal):
    arrays = {"q": drawn(2, 4, 5, 8), "k": drawn(2, 2, 7, 8), "v": drawn(2, 2, 7, 6)}
    arrays |= {} if MASKS_OF_ONNX[mask] is None else {"m": MASKS_OF_ONNX[mask]}
    made = node("Attention", " ".join(arrays), is_causal=causal, scale=0.3)
    assert set(agree(made, 24, **arrays)) <= {"attention", "logical_and", "where"}


def test_attention_of_onnx_with_a_past():
    arrays = {
        "q": drawn(1, 3, 32),
        "k": drawn(1, 3, 16),
        "v": drawn(1, 3, 16),
        "pk": drawn(1, 2, 4, 8),
        "pv": drawn(1, 2, 4, 8),
    }
    made = node("Attention", "q k v  pk pv", "y nk nv", q_num_heads=4, kv_num_heads=2, is_causal=1)
    calls = agree(made, 23, **arrays)
    assert calls.count("attention") == 1 and "softmax" not in calls


@pytest.mark.parametrize("interleaved", [0, 1])
def test_angles_of_onnx(interleaved):
    tables = {"c": drawn(9, 4), "s": drawn(9, 4)}
    made = node("RotaryEmbedding", "x c s p", interleaved=interleaved)
    agree(made, 23, x=drawn(2, 3, 5, 8), **tables, p=np.array([[0, 1, 2, 3, 4], [4, 7, 2, 0, 8]]))
    one = agree(made, 23, x=drawn(1, 3, 5, 8), **tables, p=np.array([[0, 3, 2, 1, 4]]))
    assert one.count("rope") == 1
    rows = node("RotaryEmbedding", "x c s", interleaved=interleaved, num_heads=3, rotary_embedding_dim=4)
    agree(rows, 23, x=drawn(2, 5, 24), c=drawn(2, 5, 2), s=drawn(2, 5, 2))


@pytest.mark.parametrize("mode", ["linear", "circular"])
@pytest.mark.parametrize("axis", [1, -2])
def test_rows_that_are_kept(mode, axis):
    new = [2, 3, 9, 4]
    new[axis] = 2
    arrays = {"p": drawn(2, 3, 9, 4), "u": drawn(*new)}
    agree(node("TensorScatter", "p u", mode=mode, axis=axis), 24, **arrays)
    starts = np.array([1, 0] if mode == "linear" else [1, arrays["p"].shape[axis] - 1])
    agree(node("TensorScatter", "p u i", mode=mode, axis=axis), 24, **arrays, i=starts)

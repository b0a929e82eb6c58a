"""Specs, targets, programs and kernels pickle: what is read back in another process is the same, and is not searched
for again."""

import concurrent.futures
import copy
import functools
import multiprocessing
import os
import pickle
import subprocess
import sys
from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from griotte.lang.types.dtypes import convert
from griotte.machine import resolve
from griotte.runtime import load
from griotte.support.errors import SpecError

TEXTS = (
    "softmax(matmul(f32[8,16], const f32[16,8]))",
    "mul(exp(%x: f32[<=6,8]), %x)",
    "outputs(%h: add(f32[4,8], f32[4,8]), rms_norm(%h, f32[8]))",
    "matmul(bf16[<=4,16], const bf16[16,8]) -> f32[<=4,8]",
)


@functools.cache
def program_of(text):
    return gt.synthesize(text, "portable", table="none")


@functools.cache
def kernel_of(text):
    return program_of(text).compile()


def arrays_for(spec, size=3):
    rng, spec = np.random.default_rng(0), spec.at(size)
    return [convert(rng.standard_normal(t.shape), t.dtype) for t in spec.inputs]


def same(one, other):
    pairs = zip(one, other) if isinstance(one, tuple) else [(one, other)]
    return all((x == y).all() for x, y in pairs)


def in_another_process(code, *given):
    """What `code` makes of `given` in a fresh process, whose hashes are others."""
    lines = "import pickle, sys", "given = pickle.load(sys.stdin.buffer)", f"pickle.dump({code}, sys.stdout.buffer)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "7"}
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], input=pickle.dumps(given), capture_output=True, env=environment
    )
    assert done.returncode == 0, done.stderr.decode()
    return pickle.loads(done.stdout)


@pytest.mark.parametrize("text", TEXTS)
def test_kernels_are_loaded_in_another_process(text):
    kernel, arrays = kernel_of(text), arrays_for(program_of(text).spec)
    result, source, metadata = in_another_process(
        "(given[0](*given[1]), given[0].source, given[0].metadata)", kernel, arrays
    )
    assert same(result, kernel(*arrays)) and source == kernel.source and metadata == kernel.metadata


@pytest.mark.parametrize("text", TEXTS)
def test_kernels_are_copied(text):
    kernel, arrays = kernel_of(text), arrays_for(program_of(text).spec)
    for found in (copy.copy(kernel), copy.deepcopy({"kernel": kernel})["kernel"], pickle.loads(pickle.dumps(kernel))):
        assert type(found) is type(kernel) and found.signature == kernel.signature
        assert same(found(*arrays), kernel(*arrays))


def test_kernels_are_compiled_where_the_cache_has_none_of_them(tmp_path, monkeypatch):
    kernel, arrays = kernel_of(TEXTS[0]), arrays_for(program_of(TEXTS[0]).spec)
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path))
    assert same(in_another_process("given[0](*given[1])", kernel, arrays), kernel(*arrays))
    assert len([*(tmp_path / "kernels").glob("*.so")]) == 1 and not (tmp_path / "tables").exists()


def test_kernels_go_to_worker_processes():
    kernel, arrays = kernel_of(TEXTS[1]), arrays_for(program_of(TEXTS[1]).spec)
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, context) as pool:
        assert same(pool.submit(kernel, *arrays).result(), kernel(*arrays))
        with pytest.raises(SpecError, match="expected 1 arrays"):
            pool.submit(kernel).result()
    with context.Pool(1) as pool:
        assert same(pool.apply(kernel, arrays), kernel(*arrays))


def test_saved_kernels_pickle_and_those_of_before_say_why_not(tmp_path):
    kernel, arrays = kernel_of(TEXTS[0]), arrays_for(program_of(TEXTS[0]).spec)
    found = load(kernel.save(tmp_path / "kernel"))
    assert same(pickle.loads(pickle.dumps(found))(*arrays), kernel(*arrays))
    found._compiled = replace(found._compiled, build=None)
    with pytest.raises(SpecError, match="expected a kernel that says how it is compiled, found griotte_"):
        pickle.dumps(found)


def test_what_is_bound_to_arrays_says_what_to_pickle():
    for text in (TEXTS[0], TEXTS[3]):
        *_, weights = arrays_for(program_of(text).spec)
        with pytest.raises(SpecError, match="found one that is bound to arrays"):
            pickle.dumps(kernel_of(text).bind(None, weights))


@pytest.mark.parametrize("text", TEXTS)
def test_programs_are_what_they_were(text):
    program = program_of(text)
    lines = "(str(given[0]), given[0].to_c(), given[0].cost, given[0].stats, given[0].spec, given[0])"
    shown, source, cost, stats, spec, again = in_another_process(lines, program)
    assert (shown, source, cost, stats, spec) == (
        str(program), program.to_c(), program.cost, program.stats, program.spec,
    )  # fmt: skip
    assert again.to_c() == program.to_c() and again.target == program.target and again.canonical == program.canonical
    if not program.spec.dynamic:
        with pytest.raises(SpecError, match="unpickled"):
            again.alternatives()


def test_schedules_keep_their_holes():
    schedule = gt.schedule("exp(f32[64])", "portable").tile("i0", 16)
    found = pickle.loads(pickle.dumps(schedule))
    assert str(found) == str(schedule)
    assert gt.synthesize(found, table="none").to_c() == gt.synthesize(schedule, table="none").to_c()


@pytest.mark.parametrize("name", ["native", "portable", "avx2", "avx512"])
def test_targets_are_equal(name):
    target = resolve(name)
    same_there, again = in_another_process(
        "((resolve := __import__('griotte.machine').machine.resolve)(given[1]) == given[0], given[0])", target, name
    )
    assert same_there and again == target and hash(again) == hash(target)


@pytest.mark.parametrize("text", [*TEXTS, "attention(f32[2,4,8], f32[2,6,8], f32[2,6,8], mask=pred[4,6])"])
def test_specs_are_equal_and_go_on_being_calls(text):
    spec = gt.parse(text)
    equal, shown, again = in_another_process(
        "(__import__('griotte').parse(given[1]) == given[0], str(given[0]), given[0])", spec, text
    )
    assert equal and shown == str(spec) and again == spec and again in {spec}
    if len(spec.outputs) == 1:
        assert gt.mul(again, again) == gt.mul(spec, spec) and str(gt.exp(again)) == str(gt.exp(spec))


def test_inputs_without_a_name_are_their_own_wherever_they_come_from():
    """The names that a composite gives to tell them apart are those of its process."""
    made = "__import__('griotte').softmax(__import__('griotte').tensor((4,)))"
    one, other = in_another_process(made), in_another_process(made)
    assert len(gt.mul(one, other).inputs) == 2


def test_deep_specs_pickle():
    y = gt.tensor((4,), name="x")
    for _ in range(1500):
        y = gt.sub(y, gt.max(y, axis=0, keepdims=True))
    found = pickle.loads(pickle.dumps(y))
    assert found == y and str(found) == str(y) and gt.exp(found) == gt.exp(y)

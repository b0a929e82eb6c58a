"""Schedules by hand of same.py: a Spec, and the steps that are applied to it, as they are written.

What they leave open is searched. Each method of a schedule is in one at least; a refusal is an answer too.
"""

from __future__ import annotations

MATMUL = "matmul(f32[63,70], f32[70,90])"
SOFTMAX = "softmax(f32[24,40])"
LONG = "softmax(f32[9,900])"
ATTENTION = "attention(f32[2,20,8], f32[2,150,8], f32[2,150,7])"
NORM = "outputs(%h: add(f32[60,400], f32[60,400]), rms_norm(%h, f32[400]))"
DENSE = "relu(add(matmul(f32[40,64], const f32[64,96]), const f32[96]))"
WINDOWS = (
    "conv2d(relu(conv2d(f32[1,4,17,9]{1,3,2,0}, const f32[8,4,1,1])) -> f32[1,8,17,9]{1,3,2,0}, const f32[8,1,3,3],"
    " padding=1, groups=8) -> f32[1,8,17,9]{1,3,2,0}"
)

SCHEDULES = (
    (MATMUL, '.tile("m", 24)'),
    (MATMUL, '.tile("m", 24).move(1, "L2", panel=16).split("k", 30)'),
    (MATMUL, '.tile("m", 2).move(1, "L2", panel=16).split("k", 30).tile("n", 16).move("y", "registers", lanes="n")'),
    (MATMUL, '.tile("m", 24).at(1).tile("m", 12).tile("n", 16)'),
    (MATMUL, '.tile(("m", "n"), (30, 50), parallel=2).tile("m", 7)'),
    (MATMUL, '.tile("m", 15, parallel=2).tile("n", 8).tile("m", 2)'),
    (MATMUL, '.to_accumulator().tile("k", 16).at(0).tile("m", 5)'),
    (MATMUL, '.move(0, "L1", compact=True).tile("k", 33)'),
    (MATMUL, '.tile("m", 64)'),
    (MATMUL, '.move(1, "L1", panel=40)'),
    ("matmul(f32[64,48], const f32[48,32])", ".ahead(1, panel=16)"),
    ("matmul(f32[64,48], const f32[48,32])", '.ahead(1).tile("m", 6)'),
    ("matmul(f32[6,5], f32[5,20])", '.move(2, "registers", lanes="n").select("multiply_add")'),
    ("matmul(f32[3,20,30], f32[3,30,40])", '.tile("i0", 1, parallel=2).split("k", 7)'),
    ("matmul(u8[20,40], s8[40,30]) -> s16[20,30]", '.move(2, "L1", dtype="s32").tile("k", 24)'),
    ("matmul(bf16[32,64], bf16[64,48])", '.tile("n", 32).move(1, "L1", panel=32, group=2)'),
    ("exp(f32[64])", '.select("map")'),
    ("exp(add(f32[8,40], f32[40]))", '.tile("i0", 3)'),
    ("transpose(f32[37,21], perm=(1,0))", '.tile("i0", 10).tile("i1", 1)'),
    ("transpose(f32[37,21], perm=(1,0))", '.select("transpose")'),
    ("sum(f32[40,300], axis=1)", '.tile("i0", 7).split("i1", 130).tile("i0", 2)'),
    ("sum(f32[50000])", '.tile("i0", 25000, parallel=2)'),
    ("sum(f32[13,100], axis=1)", '.move("y", "registers", lanes="i1").select("combine")'),
    ("conv2d(u8[1,12,9,9], s8[24,12,3,3], padding=1)", '.move(0, "L1", compact=True)'),
    ("conv2d(f32[1,12,9,9], const f32[24,12,3,3], padding=1)", '.ahead(1, panel=16).tile("i1", 3)'),
    (SOFTMAX, '.tile("i0", 4).bufferize("max", "L1").inline("exp")'),
    (SOFTMAX, '.tile("i0", 4).bufferize("exp", "y")'),
    (SOFTMAX, '.finish("max")'),
    (LONG, '.tile("i0", 3).online(64, "L1")'),
    (LONG, '.tile("i0", 3).online(64, "L1", kept=True)'),
    ("softmax(f32[1,900])", ".shard(3)"),
    (ATTENTION, ".shard(2)"),
    (ATTENTION, '.tile("h", 1).factor("div").online(64, "L1")'),
    ("attention(f32[1,100,8], f32[1,100,8], f32[1,100,8], causal=True)", ".skip(64)"),
    ("softmax(f32[900,90])", '.tile("i0", 1).pairs()'),
    (NORM, '.tile("i0", 2).bufferize("add", "y0")'),
    (NORM, '.tile("i0", 2).bufferize("add", "L1")'),
    (DENSE, '.ahead(1).finish("matmul")'),
    (DENSE, '.ahead(1).tile("m", 8)'),
    ("max(matmul(f32[5,7], f32[7,31]), axis=1)", '.tile("m", 2).split("n", 8)'),
    ("max(matmul(f32[13,10], f32[10,57]), axis=1)", '.fold("matmul")'),
    (WINDOWS, ".halo(5)"),
    (WINDOWS, ".halo(3)"),
)

"""The product of one bf16 row by packed weights from memory, by how far ahead they are asked for: GB/s of the thread's
own time.

python docs/lab/inference/requests.py avx2
"""

import sys
import time
from dataclasses import replace

import griotte as gt
import ml_dtypes
import numpy as np
from griotte.machine import named

TEXT = "matmul(bf16[1,2048], const bf16[2048,16384]{0,1}) -> f32[1,16384]"
GIGABYTES, ROUNDS, MATRICES = 2048 * 16384 * 2 / 1e9, 41, 2
INTO_L2 = {"far_rows": 6, "far_panel": 8192}
WAYS = {
    "as it is": {},
    **{f"{n} B ahead into L1": dict(light_panel=0, far_panel=0, far_rows=0, panel=n) for n in (2048, 4096, 8192)},
    **{f"{n} B ahead into L2": dict(INTO_L2, light_panel=n) for n in (512, 1024, 2048, 4096)},
}

target, rng = named(sys.argv[1]), np.random.default_rng(0)
weights = [rng.standard_normal((16384, 2048), dtype=np.float32).astype(ml_dtypes.bfloat16).T for _ in range(MATRICES)]
x, y = rng.standard_normal((1, 2048)).astype(ml_dtypes.bfloat16), np.empty((1, 16384), np.float32)
calls = {}
for n, (way, changed) in enumerate(WAYS.items()):
    other = replace(target, name=f"{target.name}_{n}", prefetch=replace(target.prefetch, **changed))
    kernel = gt.compile(TEXT, other)
    calls[way] = [kernel.bind(x, w, out=y) for w in weights]
times = {way: [] for way in WAYS}
for n in range(ROUNDS):
    for way, runs in calls.items():
        started = time.thread_time()
        runs[n % MATRICES]()
        times[way].append(time.thread_time() - started)
for way, found in times.items():
    found.sort()
    print(f"{way:20} median {GIGABYTES / found[ROUNDS // 2]:5.1f}, best {GIGABYTES / found[0]:5.1f} GB/s")

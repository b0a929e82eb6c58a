"""Models of two trees side by side: `python models.py NETS ZOO TREE TREE`, of which each is a checkout. Each model is
compiled in a process of each tree (effort 2, one thread, a cache of its own), and calls are timed in turns."""

import json
import math
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

NAMES = "mlp lenet gpt2_step_small silero_half silero_16k wake_alexa wake_spectrogram wake_jarvis wake_mycroft".split()
ROUNDS, SLICE_S = 30, 0.02


def child(path: str, shapes: str) -> None:
    import griotte as gt

    sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
    import numpy as np

    graph = gt.from_onnx(path, **({"shapes": json.loads(shapes)} if json.loads(shapes) else {}))
    kernel = gt.compile(graph)
    rng = np.random.default_rng(0)
    arrays = [
        rng.integers(0, 2, v.type.shape).astype(v.type.numpy if hasattr(v.type, "numpy") else "int64")
        if v.type.dtype[0] in "su"
        else rng.standard_normal(v.type.shape).astype("f4")
        for v in graph.inputs
    ]
    kernel(*arrays)
    print("ready", flush=True)
    for line in sys.stdin:
        end, count = time.perf_counter() + float(line), 0
        began = time.perf_counter()
        while time.perf_counter() < end:
            kernel(*arrays)
            count += 1
        print((time.perf_counter() - began) / count, flush=True)


def main(nets: str, zoo: str, *trees: str) -> None:
    known = tomllib.loads((Path(__file__).parents[3] / "benchmarks/networks.toml").read_text())
    ratios = []
    for name in NAMES:
        path = f"{nets}/{known[name]['file']}" if name in known else f"{zoo}/{name}.onnx"
        shapes = json.dumps(known.get(name, {}).get("shapes", {}))
        running = []
        for tree in trees:
            own = {"PYTHONPATH": f"{tree}/src", "GRIOTTE_CACHE": f"{tree}/.beside", "NUMBA_CACHE_DIR": f"{tree}/.numba"}
            words = [sys.executable, __file__, "child", path, shapes]
            running.append(
                subprocess.Popen(words, stdin=-1, stdout=-1, stderr=-3, text=True, env={**os.environ, **own})
            )
            if (running[-1].stdout.readline()).strip() != "ready":
                break
        else:
            least = [math.inf, math.inf]
            for turn in range(2 * ROUNDS):
                each = running[turn % 2]
                each.stdin.write(f"{SLICE_S}\n")
                each.stdin.flush()
                least[turn % 2] = min(least[turn % 2], float(each.stdout.readline()))
            ratios.append(least[1] / least[0])
            print(f"{name}: {least[0] * 1e6:.1f} us, {least[1] * 1e6:.1f} us: {ratios[-1]:.3f}", flush=True)
        for each in running:
            each.kill()
    print(f"in the mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.3f} of {len(ratios)}")


if __name__ == "__main__":
    child(*sys.argv[2:]) if sys.argv[1] == "child" else main(*sys.argv[1:])

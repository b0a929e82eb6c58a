"""Some minutes of a machine that does nothing else: Specs drawn and parts of networks made ready, timed, pruned, and
models fitted to them.

    python docs/lab/learned/collected.py FOLDER MINUTES [SEED] [MODEL.onnx ..]

Of the time half goes to drawn Specs, a quarter to parts of networks, an eighth at most to the clock; what was begun is
ended, and fitting comes after it. Anew in the same folder it goes on; another seed adds to it. What is left in FOLDER:
ready/, records.gtr, programs.npz, flat.npz (without trees), fit.txt and m.gtm.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

MOST = 24


def griotte(folder: Path, name: str, *words: str) -> None:
    """A verb of `griotte learn`, told at the end of FOLDER/name.txt."""
    command = [str(Path(sys.executable).with_name("griotte")), "learn", *words]
    with open(folder / f"{name}.txt", "a", encoding="utf-8") as out:
        print(time.strftime("%H:%M:%S"), *words[:6], file=out, flush=True)
        subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=False)


def main() -> None:
    where, minutes, *rest = sys.argv[1:]
    folder, total = Path(where), float(minutes)
    seed, models = (rest[0], rest[1:]) if rest and rest[0].isdigit() else ("11", rest)
    folder.mkdir(parents=True, exist_ok=True)
    ready, records = str(folder / "ready"), str(folder / "records.gtr")
    making = lambda share: ("--most", str(MOST), "--seed", seed, "--minutes", f"{share * total:.2f}", "--ready", ready)
    if models:
        griotte(folder, "made", "collect", *models, *making(0.25))
    griotte(folder, "made", "collect", "--specs", "4000", *making(0.5 if models else 0.75))
    griotte(folder, "timed", "collect", "--time", ready, "--minutes", f"{0.125 * total:.2f}", "--out", records)
    griotte(folder, "pruned", "prune", records, "-o", str(folder / "programs.npz"))
    griotte(folder, "pruned", "prune", records, "--flat", "-o", str(folder / "flat.npz"))
    griotte(folder, "fit", "fit", str(folder / "programs.npz"), "-o", str(folder / "m.gtm"))


if __name__ == "__main__":
    main()

"""What the race found, as tables and as a picture. Losses stand as plainly as wins.

A *heat* is one problem at one thread count: {"problem", "threads", "us": {name: median}, "ratio": {name: {...}}, "absent": {name: why}, ...}.
"""

from __future__ import annotations

import math

from . import stats
from .entries import ENTRIES

RIVALS = tuple(e.name for e in ENTRIES if e.kind == "rival")
VECTORS = tuple(e.name for e in ENTRIES if e.kind == "rival" and not e.tiles)
TOP = 8.0  # of the picture: how much a rival loses beyond that is no news


def best_rival(heat: dict, with_tiles: bool = True) -> str | None:
    """The fastest by median, if griotte ran as well. Tile registers serve bf16 and integers: an f32 product has no use for them."""
    among = RIVALS if with_tiles or heat["problem"]["dtype"] == "f32" else VECTORS
    return stats.best({n: us for n, us in heat["us"].items() if n in among}) if "griotte" in heat["us"] else None


def share(heat: dict) -> float | None:
    """Of the read rate where that was measured, else of the multiply-add peak, both in the same turns."""
    us, work = heat["us"], heat["work"]
    if "griotte" not in us:
        return None
    if "read" in us:
        return heat["problem"]["weight_bytes"] / us["griotte"] / (work["read"] / us["read"])
    if "peak" in us:
        return heat["problem"]["flops"] / us["griotte"] / (work["peak"] / us["peak"])
    return None


def limits(heat: dict) -> str:
    """What the probes measured: `29.3 GB/s`, or `480 GFLOP/s, tiles 3700`."""
    rate = {n: heat["work"][n] / heat["us"][n] / 1e3 for n in ("read", "peak", "tiles") if n in heat["us"]}
    if "read" in rate:
        return f"{number(rate['read'])} GB/s"
    named = {"peak": "{} GFLOP/s", "tiles": "tiles {}"}
    return ", ".join(text.format(number(rate[n])) for n, text in named.items() if n in rate) or "-"


def against_best(heats: list[dict], with_tiles: bool = True) -> dict[str, float]:
    """{problem: ratio against its best rival}, of heats of one thread count."""
    found = [(h, best_rival(h, with_tiles)) for h in heats]
    return {h["problem"]["name"]: h["ratio"][best]["median"] for h, best in found if best}


def summary(heats: list[dict]) -> list[dict]:
    """A row for each set and thread count."""
    rows = []
    for threads in sorted({h["threads"] for h in heats}):
        for name in dict.fromkeys(h["problem"]["set"] for h in heats):
            here = [h for h in heats if h["threads"] == threads and h["problem"]["set"] == name]
            ratios, vectors = against_best(here), against_best(here, with_tiles=False)
            if not ratios:
                continue
            worst = min(ratios, key=ratios.get)
            rows.append(
                {
                    "set": name,
                    "threads": threads,
                    "shapes": len(ratios),
                    "mean": stats.geometric_mean(ratios.values()),
                    "mean_vectors": stats.geometric_mean(vectors.values()),
                    "won": sum(r >= 1 for r in ratios.values()),
                    "below_0.9": sum(r < 0.9 for r in ratios.values()),
                    "worst": ratios[worst],
                    "worst_at": worst,
                }
            )
    return rows


def markdown(found: dict, titles: dict[str, str]) -> str:
    """race.md."""
    heats, lines = found["heats"], ["# The race", "", *found["machine_lines"], ""]
    lines += [f"Load average {found['load'][0]} at the start, {found['load'][1]} at the end; finished {found['finished']}; {found['rounds']} rounds{', quick' if found['quick'] else ''}.", ""]
    lines += ["Ratio: the rival's time over griotte's, median of the rounds; **below 1 griotte is slower**. Share: of the read rate where weights are large and rows few, else of the multiply-add peak, measured in the same turns.", ""]
    lines += ["| set | threads | shapes | geometric mean against the best | the same, of those without tile registers | won | below 0.9 | worst |", "|---|---|---|---|---|---|---|---|"]
    for r in summary(heats):
        lines.append(f"| {r['set']} | {r['threads']} | {r['shapes']} | {number(r['mean'])} | {number(r['mean_vectors'])} | {r['won']} | {r['below_0.9']} | {number(r['worst'])} at {r['worst_at']} |")
    for threads in sorted({h["threads"] for h in heats}):
        for name in dict.fromkeys(h["problem"]["set"] for h in heats):
            here = [h for h in heats if h["threads"] == threads and h["problem"]["set"] == name]
            if here:
                lines += ["", f"## {titles.get(name, name)}, {threads} thread{'s' * (threads > 1)}", "", *_table(here)]
    lines += ["", "## Who took part", "", "| name | setting | versions |", "|---|---|---|"]
    for entry in ENTRIES:
        versions = found["entries"].get(entry.name, {})
        lines.append(f"| {entry.name} | {entry.setting} | {versions.get('why_not') or ', '.join(f'{k} {v}' for k, v in versions.get('versions', {}).items())} |")
    lines += [f"| {name} | not in the race | {why} |" for name, why in found.get("others", {}).items()]
    return "\n".join(lines) + "\n"


def _table(heats: list[dict]) -> list[str]:
    rivals = [n for n in RIVALS if any(n in h["us"] for h in heats)]
    lines = [f"| problem | griotte us | GFLOP/s | share | of | best rival | ratio | quartiles | foreign load | {' | '.join(rivals)} |", "|---" * (9 + len(rivals)) + "|"]
    return lines + [f"| {' | '.join(row(h, rivals))} |" for h in heats]


def row(heat: dict, rivals: list[str]) -> list[str]:
    """The cells of one problem."""
    name, us, best = heat["problem"]["name"].partition("/")[2], heat["us"], best_rival(heat)
    ours, part = us.get("griotte"), share(heat)
    cells = [name, number(ours), number(heat["problem"]["flops"] / ours / 1e3 if ours else None), f"{part:.0%}" if part else "-", limits(heat)]
    if best:
        r = heat["ratio"][best]
        cells += [best, f"**{r['median']:.2f}**" if r["median"] < 1 else f"{r['median']:.2f}", f"{r['low']:.2f} to {r['high']:.2f}"]
    else:
        cells += [heat["absent"].get("griotte", "no rival")[:60], "-", "-"]
    ratios = [number(heat["ratio"].get(n, {}).get("median")) if n in us else "-" for n in rivals]
    return [*cells, f"{heat['foreign']:.2f}", *ratios]


def number(value: float | None) -> str:
    """Three digits."""
    if value is None or math.isnan(value):
        return "-"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def plot(heats: list[dict], path) -> None:
    """Every ratio against the best rival, by set; 1.0 marked, losses in red. Needs matplotlib."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    counts = sorted({h["threads"] for h in heats})
    sets = list(dict.fromkeys(h["problem"]["set"] for h in heats))
    figure, grid = pyplot.subplots(len(counts), 1, figsize=(max(8, 0.16 * len(heats)), 4.5 * len(counts)), squeeze=False, layout="constrained")
    for axes, threads in zip(grid[:, 0], counts):
        x, ticks = 0, []
        for name in sets:
            here = [h for h in heats if h["threads"] == threads and h["problem"]["set"] == name]
            first = x
            for h in here:
                best = best_rival(h)
                if best is None:
                    continue
                for rival in RIVALS:
                    if rival in h["ratio"] and rival != best:
                        axes.plot(x, h["ratio"][rival]["median"], ".", color="0.75", markersize=4, zorder=1)
                r = h["ratio"][best]
                colour = "tab:red" if r["median"] < 1 else "tab:blue"
                axes.errorbar(x, r["median"], [[max(0, r["median"] - r["low"])], [max(0, r["high"] - r["median"])]], fmt="o", color=colour, markersize=4, elinewidth=1, zorder=3)
                x += 1
            if x > first:
                ticks.append(((first + x - 1) / 2, name))
                axes.axvline(x + 0.5, color="0.85", linewidth=0.8)
                x += 2
        axes.axhline(1.0, color="black", linewidth=1.2)
        axes.set_yscale("log", base=2)
        axes.set_ylim(top=min(axes.get_ylim()[1], TOP))
        axes.yaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda y, _: f"{y:g}"))
        axes.set_xticks([t for t, _ in ticks], [n for _, n in ticks])
        axes.set_ylabel("rival's time / griotte's")
        axes.set_title(f"{threads} thread{'s' * (threads > 1)}: each shape's best rival (blue: griotte is faster, red: slower; grey: other rivals, up to {TOP:g})")
        axes.grid(axis="y", which="both", color="0.92", linewidth=0.6)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)

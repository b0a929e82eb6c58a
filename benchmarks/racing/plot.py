"""What the race found, as a picture. Needs matplotlib."""

from __future__ import annotations

from .report import WHERE, best_rival

TOP = 8.0  # how much a rival loses beyond that is no news


def plot(heats: list[dict], path) -> None:
    """Every ratio against the best rival, by set; 1.0 marked, losses in red."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    counts = list(dict.fromkeys((h["threads"], h["begin"]) for h in heats))
    sets = list(dict.fromkeys(h["problem"]["set"] for h in heats))
    figure, grid = pyplot.subplots(
        len(counts), 1, figsize=(max(8, 0.08 * len(heats)), 4.5 * len(counts)), squeeze=False, layout="constrained"
    )
    for axes, (threads, begin) in zip(grid[:, 0], counts):
        x, ticks = 0, []
        for name in sets:
            here = [h for h in heats if (h["threads"], h["begin"], h["problem"]["set"]) == (threads, begin, name)]
            first = x
            for h in here:
                best = best_rival(h)
                if best is None:
                    continue
                for rival in h["ratio"].keys() - {best}:
                    axes.plot(x, h["ratio"][rival]["median"], ".", color="0.75", markersize=4, zorder=1)
                r = h["ratio"][best]
                colour = "tab:red" if r["median"] < 1 else "tab:blue"
                axes.errorbar(
                    x,
                    r["median"],
                    [[max(0, r["median"] - r["low"])], [max(0, r["high"] - r["median"])]],
                    fmt="o",
                    color=colour,
                    markersize=4,
                    elinewidth=1,
                    zorder=3,
                )
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
        axes.set_title(
            f"{threads} thread{'s' * (threads > 1)}, arrays {WHERE[begin]}: each shape's best rival (blue: griotte is"
            f" faster, red: slower; grey: other rivals, up to {TOP:g})"
        )
        axes.grid(axis="y", which="both", color="0.92", linewidth=0.6)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)

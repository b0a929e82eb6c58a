"""What the race found, as tables. Losses stand as plainly as wins. Nothing is read here but the JSON of a run
(kept.py).

A *heat* here is its published figures (heats.figures): one problem, at one thread count, with arrays that begin in one
way. A row of a table is a problem, its cells have a figure for each beginning.
"""

from __future__ import annotations

import math

from . import stats

OURS = "griotte"
WHERE = {"line": "on a line", "numpy": "16 bytes in"}  # arrays begin
LOW = 0.95  # of the column that counts losses


def best_rival(heat: dict, without: frozenset[str] = frozenset()) -> str | None:
    """The fastest by median, if griotte ran as well."""
    return (
        stats.best({n: us for n, us in heat["us"].items() if n != OURS and n not in without})
        if OURS in heat["us"]
        else None
    )


def with_tiles(heat: dict, entries: dict) -> frozenset[str]:
    """Whoever may use tile registers. They serve bf16 and integers: an f32 product has no use for them."""
    return frozenset(n for n, e in entries.items() if e.get("tiles") and heat["problem"]["dtype"] != "f32")


def share(heat: dict) -> float | None:
    """Of the read rate where that was measured, else of the multiply-add peak, both in the same turns."""
    rates = heat["rates"]
    if OURS not in heat["us"] or not rates.keys() & {"read", "peak"}:
        return None
    work, rate = (
        (heat["problem"]["weight_bytes"], rates["read"])
        if "read" in rates
        else (heat["problem"]["flops"], rates["peak"])
    )
    return work / heat["us"][OURS] / rate


def limits(heat: dict) -> str:
    """What the probes measured: `29.3 GB/s`, or `480 GFLOP/s, tiles 3700`."""
    rates = {n: rate / 1e3 for n, rate in heat["rates"].items()}
    if "read" in rates:
        return f"{number(rates['read'])} GB/s"
    named = {"peak": "{} GFLOP/s", "tiles": "tiles {}"}
    return ", ".join(text.format(number(rates[n])) for n, text in named.items() if n in rates) or "-"


def against_best(heats: list[dict], entries: dict | None = None) -> dict[str, float]:
    """{problem: ratio against its best rival}, of heats of one thread count and beginning; of those without tile
    registers where `entries` says who has them."""
    found = [(h, best_rival(h, with_tiles(h, entries) if entries else frozenset())) for h in heats]
    return {h["problem"]["name"]: h["ratio"][best]["median"] for h, best in found if best}


def summary(heats: list[dict], entries: dict) -> list[dict]:
    """A row for each set, thread count and beginning."""
    rows = []
    for of in dict.fromkeys((h["problem"]["set"], h["threads"], h["begin"]) for h in heats):
        here = [h for h in heats if (h["problem"]["set"], h["threads"], h["begin"]) == of]
        ratios, vectors = against_best(here), against_best(here, entries)
        if not ratios:
            continue
        worst = min(ratios, key=ratios.get)
        rows.append(
            {
                **dict(zip(("set", "threads", "begin"), of)),
                "shapes": len(ratios),
                "mean": stats.geometric_mean(ratios.values()),
                "mean_vectors": stats.geometric_mean(vectors.values()),
                "won": sum(r >= 1 for r in ratios.values()),
                "low": sum(r < LOW for r in ratios.values()),
                "worst": ratios[worst],
                "worst_at": worst.partition("/")[2],
                "anew": sum(bool(h["anew"]) for h in here),
            }
        )
    return rows


# Pages
# -------------------------------------------------------------------------------------------------------------------


def markdown(found: dict) -> str:
    """The page of a machine."""
    lines = [
        f"# {title(found)}",
        "",
        (
            f"Made from [{found['slug']}.json]({found['slug']}.json) by `race.py --tables`, not by hand; [how it is"
            " measured](../README.md)."
        ),
        "",
    ]
    lines += [f"- {line}" for line in found["machine_lines"]]
    lines += [
        f"- {asked(found)}",
        (
            f"- load average {found['load'][0]} at the start, {found['load'][1]} at the end; finished"
            f" {found['finished']}, after {found['took_s'] / 60:.0f} min of"
            f" running{f' in {parts} parts' if (parts := len(found['begun'])) > 1 else ''}"
        ),
    ]
    if found["heats"]:
        lines += _race(found)
    if found["rows"]:
        lines += ["", "## Figures and their bars", "", "| name | what | bar | measured | |", "|---|---|---|---|---|"]
        lines += [
            f"| {' | '.join(_cell(row[k]) for k in ('name', 'what', 'bar', 'measured', 'verdict'))} |"
            for row in found["rows"]
        ]
    return "\n".join(lines) + "\n"


def index(kept: dict[str, dict]) -> str:
    """results/README.md: who has a page."""
    lines = [
        "# Published runs",
        "",
        "The last one of each machine; made by `race.py --tables` from the JSON files beside it, not by hand.",
        "",
    ]
    if not kept:
        return "\n".join([*lines, "None yet with this version."]) + "\n"
    lines += [
        "| machine | commit | finished | set by set: threads, geometric mean against the best rival |",
        "|---|---|---|---|",
    ]
    for name, found in kept.items():
        means = {}
        for r in summary(found["heats"], found["entries"]):
            means.setdefault((r["set"], r["threads"]), []).append(number(r["mean"]))
        text = "; ".join(f"{of} {threads}t {' / '.join(each)}" for (of, threads), each in means.items())
        lines.append(f"| [{title(found)}]({name}.md) | {found['commit']} | {found['finished'][:10]} | {text or '-'} |")
    return "\n".join([*lines, "", f"Two figures: arrays {' / '.join(WHERE.values())}."]) + "\n"


def title(found: dict) -> str:
    machine = found["machine"]
    caches = ", ".join(f"L{level} {size >> 10} KiB" for level, size in sorted(machine["caches"].items()))
    return f"{machine['cpu']}, {machine['cores']} cores, {caches}"


def asked(found: dict) -> str:
    """What the run was told to do."""
    wanted = found["asked"]
    parts = [
        f"only {', '.join(wanted['only'])}" if wanted["only"] else "every set",
        f"rivals {wanted['rivals']}" if wanted["rivals"] is not None else "every rival",
    ]
    parts += [
        f"{wanted['rounds']} rounds, as many again for who was run anew",
        f"threads {', '.join(map(str, wanted['threads']))}",
        f"arrays {' and '.join(WHERE[b] for b in wanted['begins'])}",
        f"target {wanted['target']}",
    ]
    return "; ".join(parts)


def _race(found: dict) -> list[str]:
    heats, begins = found["heats"], found["asked"]["begins"]
    counts = list(dict.fromkeys((h["problem"]["set"], h["threads"]) for h in heats))
    pair = " / ".join(WHERE[b] for b in begins)
    lines = [
        "",
        "## The race",
        "",
        (
            "Ratio: the rival's time over griotte's, median of the rounds; **below 1 griotte is slower**. Cells with"
            f" several figures: arrays that begin {pair} (of 64 bytes)."
        ),
    ]
    lines += [
        (
            "Share: of the read rate where weights are large and rows few, and of graphs where products are few (of"
            " inputs and output); else of the multiply-add peak of the products; measured in the same turns."
        ),
        "",
    ]
    lines += [
        (
            "| set | threads | shapes | geometric mean against the best | the same, of those without tile registers |"
            f" won | below {LOW} | run anew | least |"
        ),
        "|---" * 9 + "|",
    ]
    rows = {(r["set"], r["threads"], r["begin"]): r for r in summary(heats, found["entries"])}
    for of, threads in counts:
        here = [rows[of, threads, b] for b in begins if (of, threads, b) in rows]
        if here:
            cells = [
                [str(r["shapes"]) for r in here],
                *([number(r[k]) for r in here] for k in ("mean", "mean_vectors")),
                *([str(r[k]) for r in here] for k in ("won", "low", "anew")),
            ]
            least = [f"{r['worst']:.2f} {r['worst_at']}" for r in here]
            lines.append(f"| {of} | {threads} | {' | '.join(map(' / '.join, [*cells, least]))} |")
    for of, threads in counts:
        here = [h for h in heats if (h["problem"]["set"], h["threads"]) == (of, threads)]
        lines += [
            "",
            f"### {found['titles'].get(of, of)}, {threads} thread{'s' * (threads > 1)}",
            "",
            *_table(here, begins),
        ]
    return [*lines, *_anew(heats, found["rule"]), *_who(found)]


def _table(heats: list[dict], begins: list[str]) -> list[str]:
    rivals = list(dict.fromkeys(n for h in heats for n in h["us"] if n != OURS))
    best = [f"best rival, {WHERE[b]} | ratio | quartiles" for b in begins]
    lines = [
        (
            f"| problem | griotte us | GFLOP/s | share | of | {' | '.join(best)} | foreign load | run anew |"
            f" {' | '.join(rivals)} |"
        ),
        "|---" * (7 + 3 * len(begins) + len(rivals)) + "|",
    ]
    for name in dict.fromkeys(h["problem"]["name"] for h in heats):
        own = [h for b in begins for h in heats if (h["problem"]["name"], h["begin"]) == (name, b)]
        lines.append(f"| {' | '.join(row(own, begins, rivals))} |")
    return lines


def row(heats: list[dict], begins: list[str], rivals: list[str]) -> list[str]:
    """The cells of one problem, from its heats, one for each beginning."""
    by_begin = {h["begin"]: h for h in heats}
    ours = [h["us"].get(OURS) for h in heats]
    cells = [
        heats[0]["problem"]["name"].partition("/")[2],
        _pair(map(number, ours)),
        _pair(number(h["problem"]["flops"] / us / 1e3 or None if us else None) for h, us in zip(heats, ours)),
    ]
    cells += [_pair(f"{part:.0%}" if part else "-" for part in map(share, heats)), _pair(map(limits, heats))]
    for begin in begins:
        cells += _best(by_begin[begin]) if begin in by_begin else ["not run", "-", "-"]
    cells += [_pair(f"{h['foreign']:.2f}" for h in heats), _pair("yes" if h["anew"] else "-" for h in heats)]
    return cells + [_pair(number(h["ratio"].get(n, {}).get("median")) for h in heats) for n in rivals]


def _best(heat: dict) -> list[str]:
    best = best_rival(heat)
    if best is None:
        return [_cell(heat["absent"].get(OURS, "no rival")[:60]), "-", "-"]
    r = heat["ratio"][best]
    return [
        best,
        f"**{r['median']:.2f}**" if r["median"] < 1 else f"{r['median']:.2f}",
        f"{r['low']:.2f} to {r['high']:.2f}",
    ]


def _anew(heats: list[dict], rule: dict) -> list[str]:
    """Who was run anew, why, and what the first run alone had said."""
    again = [h for h in heats if h["anew"]]
    text = (
        "Low and high figures by one rule: a ratio below {low:g}, or beyond {far:g} times the median of its like (set,"
        " dtype, layout, door), above or below; quartiles farther apart than {spread:g} of it; more than {busy:g} cores"
        " at other work."
    )
    lines = ["", "### Run anew", "", text.format(**rule) + " What counts is the rounds of both runs together.", ""]
    if not again:
        return [*lines, "Nobody."]
    lines += ["| problem | threads | arrays | why | first run | all rounds |", "|---" * 6 + "|"]
    for h in again:
        best, first = best_rival(h), h.get("first", {})
        then = min(first, key=first.get, default=None)
        cells = [
            h["problem"]["name"],
            str(h["threads"]),
            WHERE[h["begin"]],
            ", ".join(h["anew"]),
            f"{first[then]:.2f} {then}" if then else "-",
            f"{h['ratio'][best]['median']:.2f} {best}" if best else "-",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _who(found: dict) -> list[str]:
    lines = ["", "### Who took part", "", "| name | setting | versions |", "|---|---|---|"]
    for name, entry in found["entries"].items():
        lines.append(
            f"| {name} | {entry['setting']} |"
            f" {_cell(entry.get('why_not') or ', '.join(f'{k} {v}' for k, v in entry.get('versions', {}).items()))} |"
        )
    return lines


def _pair(texts) -> str:
    """A figure for each beginning; one where they are equal words."""
    texts = list(texts)
    return "-" if set(texts) == {"-"} else " / ".join(texts)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def number(value: float | None) -> str:
    """Three digits."""
    if value is None or math.isnan(value):
        return "-"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"

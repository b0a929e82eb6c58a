"""The C of a stage: a static function whose loop one thread runs, or threads that share it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..engine.vectors.text import indent


def stage_function(
    name: str, given: Mapping[str, str], total: int | str, threads: int, loop: Callable[[str, str], list[str]]
) -> str:
    """A function of what it is `given` (a C type for each name, `const float *`) that runs `loop`, which writes the
    lines from an index to an end, over `total` (a number, or a product in C of what is given), or over as many shares
    of it as there are threads."""
    declared = lambda kind, n, const="": f"{kind}{const}{n}" if kind.endswith("*") else f"{const}{kind} {n}"
    head = f"static void {name}({', '.join(declared(kind, n) for n, kind in given.items())})"
    if threads == 1:
        return "\n".join([head, "{", *indent(loop("0", f"{total}")), "}", ""])
    taken = [f"{declared(kind, n, 'const ')} = given->{n};" for n, kind in given.items()]
    first, end = (f"{total} * {share} / {threads}" for share in ("share", "(share + 1)"))
    return "\n".join(
        [
            f"struct {name}_given {{",
            *indent([f"{declared(kind, n)};" for n, kind in given.items()]),
            "};",
            "",
            f"static void {name}_share(void *context, int64_t share)",
            "{",
            *indent([f"const struct {name}_given *const given = context;", *taken, *loop(first, end)]),
            "}",
            "",
            head,
            "{",
            f"    struct {name}_given given = {{{', '.join(given)}}};",
            f"    griotte_share_out({threads}, {threads}, {name}_share, &given);",
            "}",
            "",
        ]
    )

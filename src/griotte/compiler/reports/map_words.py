"""The colour that the words of a decision have in all families of a map, and the words of loops.

A kind of decision has a hue (a loop by its dimension, a view by its operand); its shades go from light to dark. They
are made in OKLCH (B. Ottosson, *A perceptual color space for image processing*, 2020), where equal steps look equal. No
reading rests on hue alone: shades of one kind differ in lightness, and boxes bear their words where there is room.
"""

from __future__ import annotations

from math import cos, radians, sin

from ...engine.rewrites import Word

NO_PROGRAM = Word("none", (), "no program", "none")


def loop_word(d: int, dim: str, tile: int) -> Word:
    """A loop over dimension number `d`."""
    return Word(f"loop {d}", (tile,), f"loop {dim} by {tile}", f"{dim} {tile}")


# ---- colours ---------------------------------------------------------------------------------------------------------

LOOPS = ((262, 232), (58, 82), (160, 182), (300, 318), (110, 125))
"""Hues in degrees, from the lightest shade to the darkest, of loops over the first, second, .. dimension: blue, orange,
green, purple, olive."""
KINDS = {
    "view 0": (335, 0.88, 0.76, 0.06),
    "view 1": (308, 0.79, 0.66, 0.08),
    "view 2": (290, 0.64, 0.54, 0.07),
    "view 3": (300, 0.56, 0.48, 0.05),
    "copy": (18, 0.82, 0.40, 0.15),
    "registers": (98, 0.95, 0.87, 0.12),
    "leaf": (285, 0.60, 0.42, 0.12),
    "sequence": (210, 0.80, 0.60, 0.06),
    "other": (60, 0.75, 0.45, 0.03),
}
"""Hue, lightness of the first and of the last shade, chroma. Views by operand: three of inputs, at most, differ."""
NONE_COLOUR = "#857e81"


def colours(words: set[Word]) -> dict[Word, str]:
    """#rrggbb for each: the shades of a kind are spread over the words of it."""
    kinds: dict[str, list[Word]] = {}
    for word in sorted(words):
        kinds.setdefault(word.kind, []).append(word)
    return {word: _shade(word, k, len(members)) for members in kinds.values() for k, word in enumerate(members)}


def _shade(word: Word, k: int, count: int) -> str:
    if word.kind == "none":
        return NONE_COLOUR
    share = k / (count - 1) if count > 1 else 0.5
    if word.kind.startswith("loop"):
        first, last = LOOPS[int(word.kind.split()[1]) % len(LOOPS)]
        return oklch(0.91 - 0.49 * share, 0.075 + 0.055 * share, first + (last - first) * share)
    hue, light, dark, chroma = KINDS[word.kind]
    return oklch(light - (light - dark) * share, chroma, hue)


def ink(colour: str) -> str:
    """Black or white, whichever is read better on the colour (relative luminance, WCAG 2.1)."""
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return "#000000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 else "#ffffff"


def oklch(lightness: float, chroma: float, hue: float) -> str:
    """#rrggbb, each channel clipped to what a screen shows."""
    a, b = chroma * cos(radians(hue)), chroma * sin(radians(hue))
    l, m, s = (
        (lightness + x * a + y * b) ** 3
        for x, y in ((0.3963377774, 0.2158037573), (-0.1055613458, -0.0638541728), (-0.0894841775, -1.2914855480))
    )
    linear = (
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    )
    return "#" + "".join(f"{round(255 * _gamma(min(1.0, max(0.0, c)))):02x}" for c in linear)


def _gamma(c: float) -> float:
    return 12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055

"""No number that describes a machine lives outside machine/: each is a field of the target. What numbers other rooms
have has its reason here.

Rooms of prices, leaves, programs, rewrites and the search are read whole; of what writes C and of Specs, which have
polynomials, bits and dtypes by the hundred, the named constants.
"""

import ast
from collections import Counter
from pathlib import Path

from griotte import codegen
from griotte.engine import canonical, cost, idioms, leaves, program, rewrites, search, vectors
from griotte.lang import calls, constructors, meaning, nests, types

TRIVIAL = (0, 1, 2)

NOT_ZERO = "no division by zero"
COUNTED = "operations of the emitted C, counted one by one"
OBJECTS = "size of a cache of Python objects"
OFFERED = "what the space offers, of which prices choose"
EFFORT = "how far the search goes, or how finely"
OWN_MEMORY = "memory of the search itself"
WORDS = "how something is printed"
BITS = "bits and bytes of elements"
MEANING = "what a Spec means, and how its numbers are"
PLACES = "columns, and bytes of an element, of the tables that the loops of the search read"
ALLOWED = {
    ("vectors", "MOST", 4): "elements between two that whole loads hold together: how it is written",
    ("vectors", "_LEAST_BYTES", 8): "bytes of the shortest vector that compilers have instructions for",
    ("leaves", "LEAST_BYTES", 16): "bytes of the shortest vector that is written, on every machine",
    ("leaves", "TOGETHER", 4): "vectors that the form aligns at once: how it is written",
    ("leaves", "_written", 10): OBJECTS,
    ("leaves", "_computing", 12): OBJECTS,
    ("leaves", "_in_ports", 12): OBJECTS,
    ("leaves", "_near", 12): OBJECTS,
    ("leaves", "INTERLEAVED", 4): "results of a lane that are interleaved: how it is written",
    ("leaves", "LEAST_SUMS", 4): "sums that are joined together: how it is written",
    ("leaves", "PART", 16): "bytes within which shuffles of vectors of all widths stay",
    ("leaves", "_lanes_joined", 3): COUNTED,
    ("leaves", "(KEPT, LEAST_STRIP, PASSING)", 0.75): "of lines that L1 keeps, a strip's beside the source's: how it is"
    " written",
    ("leaves", "(KEPT, LEAST_STRIP, PASSING)", 8): "columns of the narrowest strip: how it is written",
    ("leaves", "(KEPT, LEAST_STRIP, PASSING)", 0.5): "of L2, what a strip takes up before the next: how it is written",
    ("leaves", "(WAITING, FULL)", 1.125): "of the machine's latency: the cycles are `Ports.drained`",
    ("leaves", "(WAITING, FULL)", 1.25): "the same",
    ("leaves", "LEAST_RUN", 128): "terms that a level of sums takes at least: how it is written",
    ("search", "(COST, DECISION)", 4): "bytes that the search keeps for a Spec",
    ("search", "(CARRIES, ALONE, AHEAD)", 3): PLACES,
    ("search", "(COST, LIMITS, SLOT, POINT, TIMES, KIND, TABLE, COUNTS)", 8): PLACES,
    ("search", "(OWN, PLACES, COUNT, BEGIN, END)", 5): PLACES,
    ("search", "FamilySolver", 5): PLACES,
    ("search", "FamilySolver", 8): PLACES,
    ("search", "_number_at", 8): "bits of a byte, in types of Numba",
    ("search", "EVERY_S", 0.2): "seconds between two words of how far a search is",
    ("search", "GRACE_S", 0.5): "seconds that an interrupted search waits for its threads",
    ("search", "(FAMILY, GRAPH)", 325000): "relaxations that take as long as Python does for a family",
    ("search", "(FAMILY, GRAPH)", 1250000): "and for that of a graph",
    ("search", "QUICK", 8): OFFERED,
    ("search", "LONGEST", 20000): "nodes of a program on record that are read",
    ("search", "DIGITS", 8): WORDS,
    ("search", "name_of", 16): OBJECTS,
    ("search", "MOST", 12): OBJECTS,
    ("search", "TARGETS", 4): OBJECTS,
    ("search", "STRETCH", 256): "rows that a loop of the search goes over at once: how it is written",
    ("search", "COUNTED", 3): "a third of it is the counting",
    ("leaves", "in_parts", 3): COUNTED,
    ("leaves", "_seen", 12): OBJECTS,
    ("leaves", "features", 1e-9): NOT_ZERO,
    ("cost", "tied", 1e-9): NOT_ZERO,
    ("cost", "tied", 1e-6): NOT_ZERO,
    ("cost", "outlasting", 1e-9): NOT_ZERO,
    ("cost", "brought", 1e-9): NOT_ZERO,
    ("cost", "_over", 1e-9): NOT_ZERO,
    ("leaves", "cycles", 4): "bytes of an element that matrix registers sum in",
    ("leaves", "cycles", 8): "bytes of the widest element that a shuffle moves whole",
    ("program", "poisoned", 0x5A5A5A5B): "what memory has that nobody wrote",
    ("program", "_bytes", 1024): WORDS,
    (
        "program",
        "FOLDING",
        512,
    ): "bytes: an eighth of a page, by which lines of a page fall on sets as on all machines with such lines and pages",
    (
        "program",
        "_WIDEST_VECTOR",
        64,
    ): "bytes of the widest vector of any target: buffers end so far behind their last element",
    ("rewrites", "_without", 12): OBJECTS,
    ("rewrites", "softmax_pairs", 12): OBJECTS,
    ("rewrites", "_LARGE", 30): "a size that is larger than any",
    ("rewrites", "_buffers", 12): OBJECTS,
    ("rewrites", "buffers", 8): OBJECTS,
    ("rewrites", "of_part", 14): OBJECTS,
    ("rewrites", "_blocks", 10): OBJECTS,
    ("rewrites", "_allows", 10): OBJECTS,
    ("rewrites", "_room", 12): OBJECTS,
    ("rewrites", "Move", 3): WORDS,
    ("rewrites", "_slivers", 3): OFFERED,
    ("rewrites", "copy_family", 12): OBJECTS,
    **{("rewrites", "TILES", columns): OFFERED for columns in (64, 256, 1024)},
    ("rewrites", "_may_write", 8): BITS,
    **{("rewrites", "(BLOCKS, UNIT)", count): OFFERED for count in (4, 8, 16)},
    ("rewrites", "ENOUGH", 32): OFFERED,
    ("search", "(STEPS, REACH)", 256): EFFORT,
    ("search", "(STEPS, REACH)", 26): EFFORT,
    ("search", "_working_set", 48): OWN_MEMORY,
    ("search", "ladder_names", 12): OBJECTS,
    ("search", "tile_sizes", 3): OFFERED,
    **{("search", "SHARES", share): EFFORT for share in (0.125, 0.25, 0.5, 0.75)},
    ("search", "_row", 14): OBJECTS,
    ("search", "FAR_LESS", 8): (
        "times less than constants, that what is computed of them must be for it to be computed before all else: a"
        " choice of the space"
    ),
    **{("search", "HEIGHTS", rows): OFFERED for rows in (4, 8, 16, 32, 64)},
    ("search", "HALF", 0.5): EFFORT,
    ("search", "LEFT", 1.1): EFFORT,
    ("rewrites", "ROWS", 16): OFFERED,
    ("rewrites", "GAIN", 20): OFFERED,
    (
        "search",
        "SMALL_SHARE",
        4,
    ): "parts of L1, of which an array that the program itself has may be one without a place being sought for it",
    ("search", "SLACK", 1.05): EFFORT,
    ("search", "SizePrograms", 0.5): EFFORT,
    ("search", "peak_rss_mb", 1024): WORDS,
    ("codegen", "LEAST", 100_000): "characters of C",
    ("codegen", "LENGTH", 1024): "elements of a row that is timed for a target's table",
    ("codegen", "APART", 7): "elements of a tile that is timed for a target's table",
    ("codegen", "STACK", 16384): "bytes of a thread's stack, which systems give",
    **{("constructors", "_POWERS", number): MEANING for number in (0.5, 3, 4)},
    ("canonical", "FEW", 64): OFFERED,
    ("meaning", "RUNS", 8): MEANING,
    ("meaning", "ROUNDED", 3): MEANING,
    ("meaning", "SPREAD", 4.0): MEANING,
    ("nests", "LINE", 64): "bytes, where a target says nothing else; what is aligned begins on one",
    ("nests", "PAGE", 4096): "bytes, where a target says nothing else",
    ("nests", "WORD", 32): BITS,
    (
        "nests",
        "SHORT",
        512,
    ): "bytes up to which a family says how long its rows are: a choice of the space, for longer rows share solutions",
    **{("nests", "(FEW_NESTS, SMALL)", number): EFFORT for number in (3, 20)},
    ("nests", "(MOST_NESTS, MOST_CONTRACTIONS)", 10): EFFORT,
    ("nests", "cached", 14): OBJECTS,
    ("constructors", "FINEST", 1000): MEANING,
    ("idioms", "LEAST", 64): OFFERED,
    ("types", "COUNTED", 63): BITS,
}
"""(room, constant or function, number): why it is no field of a target."""

WHOLE = (cost, leaves, program, rewrites, search)
NAMED = (*(codegen, vectors), *(types, nests, calls, constructors, meaning, canonical, idioms))
WRITTEN = ("code.py", "tile.py", "inputs.py", "results.py")
"""Files of leaves that write C; in others a class `..Leaf` does."""
FORMATS = (
    "pairs.py",
    "convert.py",
    "reference.py",
    "attention.py",
    "composites.py",
    "quantised.py",
    "samples.py",
    "operations.py",
    "elementwise.py",
    "expr.py",
    "dtypes.py",
)
"""Files of functions and dtypes: numbers of theirs are mathematics."""


def numbers(source: str, named: bool = False):
    """(constant or function at module level, number) of each number that is not trivial; `named`: of constants
    alone."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and node.name.endswith("Leaf"):
            continue
        names = (
            [node.name]
            if hasattr(node, "name")
            else [ast.unparse(target) for target in getattr(node, "targets", [getattr(node, "target", None)]) if target]
        )
        for part in ast.walk(node) if not named or isinstance(node, ast.Assign | ast.AnnAssign) else ():
            if isinstance(part, ast.Constant) and type(part.value) in (int, float) and part.value not in TRIVIAL:
                yield " ".join(names), part.value


def files(*rooms):
    """(room, whether it writes C, text) of each file."""
    for room in rooms:
        folder = Path(room.__file__).parent
        for path in folder.rglob("*.py"):
            if path.name not in FORMATS or room not in NAMED[1:]:
                yield folder.name, room is leaves and path.name in WRITTEN, path.read_text()


def test_no_number_of_a_machine_is_outside_targets():
    found = Counter((room, *each) for room, writes, text in files(*WHOLE) for each in set(numbers(text, writes)))
    found += Counter((room, *each) for room, _, text in files(*NAMED) for each in set(numbers(text, named=True)))
    allowed = Counter(list(ALLOWED))
    apart = "\n".join(" ".join(map(str, key)) for key in sorted((found - allowed) + (allowed - found), key=str))
    assert found == allowed, (
        "expected a number of a machine as a field of its target (machine/target.py), and others with their reason in"
        f" ALLOWED, found a difference in:\n{apart}"
    )


def test_constants_and_literals_are_both_seen():
    source = 'SLOTS: float = 6.0\nBY = {"a": (9, 1)}\n\ndef f(x):\n    return 2 * x + 1.5 * x - True\n'
    assert list(numbers(source)) == [("SLOTS", 6.0), ("BY", 9), ("f", 1.5)]
    assert list(numbers(source, named=True)) == [("SLOTS", 6.0), ("BY", 9)]

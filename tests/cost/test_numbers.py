"""No number that describes a machine lives in the cost model, or in what leaves serve and need: each is a field of the target. What numbers there are has its reason here."""

import ast
from pathlib import Path

from griotte import cost, leaves

TRIVIAL = (0, 1, 2)

EMITTED = "how the C is written, which codegen reads here"
NOT_ZERO = "no division by zero"
COUNTED = "operations of the emitted C, counted one by one"
OBJECTS = "size of a cache of Python objects"
ALLOWED = {
    ("leaves", "reduce.py", "TURNED_ROWS", 4): EMITTED,
    ("leaves", "reduce.py", "UNROLLED", 48): EMITTED,
    ("leaves", "copies.py", "LARGEST_BLOCK", 16): EMITTED,
    ("leaves", "copies.py", "LEAST_BYTES", 16): EMITTED,
    ("leaves", "serving.py", "_written", 10): OBJECTS,
    ("cost", "reduce.py", "step", 3): COUNTED,
    ("cost", "reduce.py", "in_parts", 3): COUNTED,
    ("cost", "leaf.py", "_seen", 12): OBJECTS,
    ("cost", "leaf.py", "features", 1e-9): NOT_ZERO,
    ("cost", "ports.py", "tied", 1e-9): NOT_ZERO,
    ("cost", "ports.py", "tied", 1e-6): NOT_ZERO,
    ("cost", "traffic.py", "outlasting", 1e-9): NOT_ZERO,
    ("cost", "views.py", "brought", 1e-9): NOT_ZERO,
    ("cost", "views.py", "_over", 1e-9): NOT_ZERO,
    ("cost", "matrix.py", "cycles", 4): "bytes of an element that matrix registers sum in",
    ("cost", "copies.py", "pack_cycles", 8): "bytes of the widest element that a shuffle moves whole",
}
"""(room, file, constant or function, number): why it is no field of a target."""


def numbers(source: str):
    """(constant or function at module level, number) of each number that is not trivial."""
    for node in ast.parse(source).body:
        names = [node.name] if hasattr(node, "name") else [ast.unparse(target) for target in getattr(node, "targets", [getattr(node, "target", None)]) if target]
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and type(part.value) in (int, float) and part.value not in TRIVIAL:
                yield " ".join(names), part.value


def test_no_number_of_a_machine_is_in_the_cost_model():
    files = [path for room in (cost, leaves) for path in Path(room.__file__).parent.glob("*.py")]
    found = {(path.parent.name, path.name, *number) for path in files for number in numbers(path.read_text())}
    shown = "\n".join(f"{' '.join(map(str, key))}: {why}" for key, why in sorted(ALLOWED.items(), key=str))
    assert found == set(ALLOWED), f"expected a number of a machine as a field of its target (targets/target.py), with the rest named in ALLOWED:\n{shown}"


def test_constants_and_literals_are_both_seen():
    source = 'SLOTS: float = 6.0\nBY = {"a": (9, 1)}\n\ndef f(x):\n    return 2 * x + 1.5 * x - True\n'
    assert list(numbers(source)) == [("SLOTS", 6.0), ("BY", 9), ("f", 1.5)]

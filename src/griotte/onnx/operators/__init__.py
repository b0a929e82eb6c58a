"""The operators of ONNX and of onnxruntime, each one declaration: what it is in calls of the language."""

from ...readers.tables import of_files
from . import (
    attention,
    control,
    elementwise,
    few_bits,
    kv_cache,
    norms,
    products,
    quantised,
    recurrences,
    reductions,
    resizing,
    shapes,
    spectra,
    training,
    windows,
)

FILES = (
    attention,
    control,
    elementwise,
    few_bits,
    kv_cache,
    norms,
    products,
    quantised,
    recurrences,
    reductions,
    resizing,
    shapes,
    spectra,
    training,
    windows,
)
"""Where they are declared."""


def by_domain(name: str) -> tuple[str, str]:
    """The domain and the name of an operator, "com.microsoft.QAttention"; without a domain it is ONNX's own."""
    domain, _, own = name.rpartition(".")
    return domain or "ai.onnx", own


OPERATORS = of_files(FILES, by_domain)
"""By domain and name."""
OF_ONE_MACHINE = "laid out for the machine that wrote it; save the model optimised at ORT_ENABLE_EXTENDED, not further"
BY_VALUES = "how much it gives depends on the values that it reads"
REFUSED: dict[str | tuple[str, str], str] = {
    "com.microsoft.nchwc": OF_ONE_MACHINE,
    **{("ai.onnx", name): BY_VALUES for name in ("NonZero", "Unique", "NonMaxSuppression")},
}
"""Why operators are refused: by a domain without any operator here, or by domain and name."""

"""The operators of the domain com.microsoft, which onnxruntime's optimiser and quantisers write."""

from . import attention, cached, elementwise, moving, norms, products, quantised, recurrences

FILES = (attention, cached, elementwise, moving, norms, products, quantised, recurrences)
"""Where they are declared."""

"""The operators of the domain com.microsoft, which onnxruntime's optimiser and quantisers write."""

from . import attention, cached, elementwise, norms, products, quantised

FILES = (attention, cached, elementwise, norms, products, quantised)
"""Where they are declared."""

"""The operators of the domain com.microsoft, which onnxruntime's optimiser and quantisers write."""

from . import quantised

FILES = (quantised,)
"""Where they are declared."""

"""Single kernels of a file are compiled together."""

from checked import compiled  # noqa: F401

"""The computations that `griotte bench` times beside a kernel: NumPy, PyTorch, and a plain loop nest in C.

A package of its own in griotte's wheel: griotte computes nothing with it. `griotte bench` imports it when it runs.
"""

from __future__ import annotations

from .contestants import CONTESTANTS, naive, numpy, set_blas_threads, torch

__all__ = ["CONTESTANTS", "naive", "numpy", "set_blas_threads", "torch"]

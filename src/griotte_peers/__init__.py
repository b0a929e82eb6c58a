"""The computations that `griotte bench` times beside a kernel: NumPy, PyTorch, and a plain loop nest in C; beside that
of a model onnxruntime and OpenVINO.

A package of its own in griotte's wheel: griotte computes nothing with it. `griotte bench` imports it when it runs.
"""

from __future__ import annotations

from .contestants import CONTESTANTS, naive, numpy, set_blas_threads, torch
from .models import MODEL_CONTESTANTS, quickest

__all__ = ["CONTESTANTS", "MODEL_CONTESTANTS", "naive", "numpy", "quickest", "set_blas_threads", "torch"]

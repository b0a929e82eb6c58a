"""From C text to a call: compilers, the cache of libraries, kernels and their arguments."""

from typing import TYPE_CHECKING

from ..support.later import later

if TYPE_CHECKING:
    from .binding import Bound
    from .compilers import NO_TRAPS, Compiler, find_compiler
    from .kernel import DynamicKernel, Kernel
    from .model import load
    from .signature import Packing, Signature, TensorArg
    from .toolchain import compile_shared

__all__ = [
    "NO_TRAPS",
    "Bound",
    "Compiler",
    "DynamicKernel",
    "Kernel",
    "Packing",
    "Signature",
    "TensorArg",
    "compile_shared",
    "find_compiler",
    "load",
]

if not TYPE_CHECKING:
    __getattr__ = later(
        __name__,
        {
            "compilers": "NO_TRAPS Compiler find_compiler",
            "binding": "Bound",
            "kernel": "DynamicKernel Kernel",
            "model": "load",
            "signature": "Packing Signature TensorArg",
            "toolchain": "compile_shared",
        },
    )

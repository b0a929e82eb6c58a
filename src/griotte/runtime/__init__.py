"""From C text to a call: compilers, the cache of libraries, kernels and their arguments."""

from griotte.runtime.arguments import Packing, Signature, TensorArg
from griotte.runtime.cache import cache_dir, writable_dir, write_atomically
from griotte.runtime.dynamic import DynamicKernel
from griotte.runtime.kernel import Bound, Kernel
from griotte.runtime.loading import load
from griotte.runtime.toolchain import NO_TRAPS, Compiler, compile_shared, find_compiler

__all__ = [
    "NO_TRAPS",
    "Bound",
    "Compiler",
    "DynamicKernel",
    "Kernel",
    "Packing",
    "Signature",
    "TensorArg",
    "cache_dir",
    "compile_shared",
    "find_compiler",
    "load",
    "writable_dir",
    "write_atomically",
]

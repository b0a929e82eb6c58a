"""A kernel as a package for C and C++ programs: its header, its C++ wrapper, what chooses among targets when it runs,
and the files by which CMake and pkg-config find it.

Not here: compilers and files (runtime/packages.py), the C of a target (codegen/).
"""

from .dispatch import embedded, embedding, shared_by
from .files import dispatcher, texts
from .package import Code, Package, PackageArray, Packed, checked_name, form_of, in_c

__all__ = [
    "PackageArray",
    "Code",
    "Package",
    "Packed",
    "checked_name",
    "dispatcher",
    "embedded",
    "embedding",
    "form_of",
    "in_c",
    "shared_by",
    "texts",
]

"""A kernel as a package for C and C++ programs: its header, its C++ wrapper, what chooses among targets when it runs,
and the files by which CMake and pkg-config find it.

Not here: compilers and files (runtime/packages.py), the C of a target (codegen/).
"""

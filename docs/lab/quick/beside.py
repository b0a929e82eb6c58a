"""CPU seconds of one search, and the largest memory of its process: `PYTHONPATH=TREE/src python beside.py SPEC`, of two
trees in turn, each with a cache of Numba's code of its own: run it once before, for a process that compiles the loops
takes 140 MB more."""

import resource
import sys
import time

import griotte as gt

gt.synthesize("matmul(f32[9,7], f32[7,20])", table="none")  # loads Numba's code
began = time.process_time()
gt.synthesize(sys.argv[1], "avx512", table="none")
print(f"{time.process_time() - began:.2f} s, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")

"""How C is written: index expressions, bodies over vectors, blocks turned in registers, and the library of vector
functions that a kernel has its own copy of."""

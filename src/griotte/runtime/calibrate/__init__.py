"""A machine's parameters, measured: one short probe for each.

probes      the measurements: which functions in C, on how much
source      the C of the probes
measure     all of them in turns; a value, a median and quartiles of each parameter
parameters  from cycles to parameters
timing      cycles of a kernel, by a clock that is a chain of additions
"""

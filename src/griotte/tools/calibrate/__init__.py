"""A machine's parameters, measured: one short probe for each.

probes      the C of the probes, and what each is run on
measure     all of them in turns; a value, a median and quartiles of each parameter
parameters  from cycles to parameters
check       what a target predicts of twelve programs, beside the clock
timing      cycles of a kernel, by a clock that is a chain of additions
"""

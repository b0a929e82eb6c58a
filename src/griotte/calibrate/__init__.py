"""A machine's cost coefficients: programs drawn from the space, timed, and fitted.

    specs     what is measured: random Specs of every kind and size
    draw      programs of a Spec, from the best to several times slower
    outline   a program in words; and the cheapest program that has them
    programs  both, for one Spec; and their libraries
    count     the features of a whole program
    timing    cycles of a kernel, by a clock that is a chain of additions
    measure   many kernels in turns, on a quiet machine
    samples   what was measured, as a file that can be added to
    fit       coefficients from samples
    judge     how well a model ranks: Kendall's tau, regret
    rounds    all of it
"""

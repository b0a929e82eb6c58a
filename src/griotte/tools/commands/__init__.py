"""The verbs of the command line, one module each."""

VERBS = {
    "compile": "Find the best program for SPEC, or for a model's file, and compile it.",
    "check": "Compile each SPEC and compare its results with the reference, on random, whole-number and hostile data.",
    "bench": "Time each SPEC's kernel, or that of a model's file, beside others.",
    "explain": "Show the best program for SPEC, or for a model's file, and what each part of it costs.",
    "targets": "List the targets by name, and whether this CPU runs them.",
    "doctor": "Look at this machine: compiler, CPU, caches, files.",
    "calibrate": "Measure this machine, and write a target for --target.",
    "table": "Look at tables of solved Specs, join, check and fill them.",
    "learn": "Time programs of many Specs, fit a model of their times, judge it.",
}
"""What `griotte --help` says of each: the first sentence of its own help."""

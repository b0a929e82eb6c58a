"""A learned correction of the price: the features of a program, the model that was fitted to timed ones, and what it
says of others.

Not here: how programs are timed, models fitted and judged (tools/learn/).
"""

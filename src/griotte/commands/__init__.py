"""The verbs of the command line, one module each; they import what they need when they run."""

from .bench import bench
from .calibrate import calibrate
from .check import check
from .compile import compile
from .doctor import doctor
from .explain import explain
from .learn import learn
from .table import table
from .targets import targets

VERBS = {verb.name: verb for verb in (compile, check, bench, explain, targets, doctor, calibrate, table, learn)}

__all__ = ["VERBS"]

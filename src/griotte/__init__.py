"""griotte: exact search for the fastest CPU kernel of a small tensor program.

import griotte as gt
kernel = gt.compile("matmul(f32[512,512], f32[512,512])")
c = kernel(a, b)
"""

from .errors import GriotteError, NoProgramError, SpecError, TableError, TableWarning, TargetError, ToolchainError
from .frontends.given import interpret
from .frontends.text import parse
from .ir.compose import outputs
from .ir.forms import FORMS as _FORMS
from .ir.spec import Spec
from .ir.tensor import TensorType, tensor
from .schedule import Schedule, schedule
from .synthesis import Program, compile, synthesize
from .targets import Target

# gt.matmul, gt.add, ...: the contract's calls
globals().update({name: form.constructor for name, form in _FORMS.items()})

__version__ = "0.1.0"
__all__ = [
    "GriotteError",
    "NoProgramError",
    "Program",
    "Schedule",
    "Spec",
    "SpecError",
    "TableError",
    "TableWarning",
    "Target",
    "TargetError",
    "TensorType",
    "ToolchainError",
    "compile",
    "interpret",
    "outputs",
    "parse",
    "schedule",
    "synthesize",
    "tensor",
    *_FORMS,
]

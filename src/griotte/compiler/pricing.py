"""The machine with the prices of a whole call (`Target.called`): what a Spec goes over, in bytes, says which."""

from __future__ import annotations

from ..engine.canonical.canonical import canonical_form
from ..engine.search.problem import bytes_of_call
from ..lang.calls.spec import Spec
from ..machine.target import Target
from ..support.errors import NoProgramError


def of_call(target: Target, spec: Spec, threads: int) -> Target:
    """The machine with the prices of a call of a Spec, as it is stated, on so many threads; SpecError where it is
    none."""
    return target.called(called_bytes(spec), threads) if target.prices_calls else target


def called_bytes(spec: Spec) -> int:
    """Bytes that a call of a Spec goes over: those by which the search says where its arrays rest. Of a Spec that no
    search sees as a whole they are those of its arrays."""
    try:
        return bytes_of_call(canonical_form(spec))
    except NoProgramError:
        return sum(tensor.bytes for tensor in spec.tensors)

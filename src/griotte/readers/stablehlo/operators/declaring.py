"""How an operation of XLA is declared, and why others are refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..attributes import ParameterReader


@dataclass(frozen=True)
class XlaOperator:
    """A row of a table.

    Attributes:
        names: of JAX's primitives; none where StableHLO alone has it.
        function: from a node and arrays, or arrays alone, and the primitive's parameters by name, to arrays.
        stablehlo: its names in StableHLO, where they are others.
        parameters: how StableHLO tells each of them.
    """

    names: str
    function: Callable[..., Any]
    stablehlo: str = ""
    parameters: Mapping[str, ParameterReader] = field(default_factory=dict)

    @property
    def every_name(self) -> list[str]:
        """JAX's, then StableHLO's."""
        return [*self.names.split(), *self.stablehlo.split()]


WHY = (
    (
        "what it gives is drawn by chance, of a key that is not known",
        (
            "random_bits random_clone random_fold_in random_gamma random_seed random_split random_unwrap "
            "random_wrap rng rng_bit_generator rng_uniform threefry2x32"
        ),
    ),
    (
        "matrices are not taken apart",
        (
            "cholesky eig eigh hessenberg householder_product linear_solve lu lu_pivots_to_permutation qr schur "
            "svd triangular_solve tridiagonal tridiagonal_solve"
        ),
    ),
    (
        "what is shared out among devices",
        (
            "all_gather all_to_all axis_index pmax pmin ppermute psum psum_invariant ragged_all_to_all "
            "reduce_scatter shard_map"
        ),
    ),
    ("a call of Python, or of another library", "custom_call ffi_call io_callback pure_callback"),
    ("no such function here", "igamma_grad_a polygamma zeta"),
    ("griotte has no complex numbers", "complex fft imag"),
    ("products of groups whose sizes are read", "ragged_dot_general"),
)
REFUSED = {name: why for why, names in WHY for name in names.split()}
"""Why operations are refused, by name."""

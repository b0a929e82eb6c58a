"""Operations that are refused, and why."""

from __future__ import annotations

from .declaring import refused

refused(
    "what it gives is drawn by chance, of a key that is not known",
    "random_bits",
    "random_clone",
    "random_fold_in",
    "random_gamma",
    "random_seed",
    "random_split",
    "random_unwrap",
    "random_wrap",
    "rng_bit_generator",
    "rng_uniform",
    "threefry2x32",
)
refused(
    "matrices are not taken apart",
    "cholesky",
    "eig",
    "eigh",
    "hessenberg",
    "householder_product",
    "linear_solve",
    "lu",
    "lu_pivots_to_permutation",
    "qr",
    "schur",
    "svd",
    "triangular_solve",
    "tridiagonal",
    "tridiagonal_solve",
)
refused(
    "what is shared out among devices",
    "all_gather",
    "all_to_all",
    "axis_index",
    "pmax",
    "pmin",
    "ppermute",
    "psum",
    "psum_invariant",
    "ragged_all_to_all",
    "reduce_scatter",
    "shard_map",
)
refused("a call of Python, or of another library", "custom_call", "ffi_call", "io_callback", "pure_callback")
refused(
    "no such function here",
    "igamma_grad_a",
    "polygamma",
    "zeta",
)
refused("griotte has no complex numbers", "complex", "fft", "imag")
refused("products of groups whose sizes are read", "ragged_dot_general")

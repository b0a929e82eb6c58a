"""Custom kernels: what is computed by C of its own, past the space, with a price of its own."""

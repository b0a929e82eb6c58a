"""Custom kernels: parts computed by C of their own, past the space, with prices of their own."""

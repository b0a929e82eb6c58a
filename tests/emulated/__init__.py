"""Kernels of another architecture, run by an emulator."""

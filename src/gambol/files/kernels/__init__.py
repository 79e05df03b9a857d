"""Numba kernels for reading files."""

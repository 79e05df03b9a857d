"""Numba kernels of the crowd."""

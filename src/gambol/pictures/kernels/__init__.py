"""Numba kernels that fill and shade pixels."""

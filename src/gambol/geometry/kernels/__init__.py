"""Scalar helpers for numba kernels: they take and return numbers, never small arrays."""

"""Scalar helpers for numba kernels: they take and return numbers or tuples, never small arrays."""

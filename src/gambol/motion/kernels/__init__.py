"""Numba kernels over arrays of frames and joints."""

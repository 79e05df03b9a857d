"""What all numba kernels share."""

"""Kernels of the planners."""

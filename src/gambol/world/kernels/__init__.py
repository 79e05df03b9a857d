"""Kernels that look things up in compiled worlds."""

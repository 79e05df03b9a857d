"""Kernels that lay out motions frame by frame."""

"""Kernels that blend clips, grow their swept shapes and choose among them."""

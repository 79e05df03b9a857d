"""Kernels that blend clips, sweep their bodies and draw among them."""

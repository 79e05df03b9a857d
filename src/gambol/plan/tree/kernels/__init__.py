"""Kernels of search trees."""

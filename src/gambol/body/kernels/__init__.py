"""Numba functions of bodies."""

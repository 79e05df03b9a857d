"""Numba functions of the judge; nothing here knows planners or their grids."""

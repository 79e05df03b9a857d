"""Numba functions of the judge, independent of planners and their grids."""

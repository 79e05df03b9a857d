"""Worlds: bounds, obstacles with bottoms and tops, terrain, and what moves; compiled to grids for planners."""

"""The tabs of the viewer, one a module."""

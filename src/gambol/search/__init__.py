"""Planners: from a problem to a plan."""

"""The planar climb on a full skeleton: the built-in human in the figure's proportions."""

from gambol.climb.body.full_motion import full_motion
from gambol.climb.body.skeleton import figure_skeleton

__all__ = ["figure_skeleton", "full_motion"]

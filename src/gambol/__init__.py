"""Gambol plans how characters move, and hands over the finished animation.

The names here are those that most programs need.  All other public names are those that a room lists
(`gambol.motion`, `gambol.search`, `gambol.crowd`, ...).
"""

from gambol.lazy import public

__version__ = "0.2.0.dev0"
__getattr__, __dir__, __all__ = public(
    __name__,
    {
        "gambol.scenes": "load_scene",
        "gambol.stages": "perform judge Performance PlanStage CrowdStage ClimbStage",
        "gambol.world": "World Obstacle Footprint Mover Terrain",
        "gambol.characters": "Character load_character",
        "gambol.search": "Problem Goal Plan Outcome AStar",
        "gambol.trees": "TreePlanner",
        "gambol.planners": "solve",
        "gambol.animate": "realize",
        "gambol.judges": "check",
        "gambol.motion": "Motion",
        "gambol.files": "read_motion write_motion",
        "gambol.crowd": "Crowd Errand",
        "gambol.variation": "vary",
        "gambol.errors": "GambolError",
    },
)

"""The climber: ways over grasp points, in a vertical plane."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".climb": "Climb",
        ".scene": "climb_problems",
        ".problem": "ClimbProblem",
    },
)

"""The climber: ways over grasp points, in a vertical plane."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".body.skeleton": "figure_skeleton",
        ".climb": "Climb ClimbMotion ClimbPath Source",
        ".core": "FoundPath",
        ".environment_table": "anchor_of grasp_table",
        ".figure": "Figure FigureTable",
        ".file": "read_climb_file",
        ".modes": "Mode",
        ".paper.core": "PaperCore",
        ".problem": "ClimbGoal ClimbProblem ClimbStart",
        ".scene": "climb_problems",
        ".stances.core": "StancesCore",
        ".stances.setting": "StanceSetting",
    },
)

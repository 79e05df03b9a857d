"""The climber: ways over grasp points, in a vertical plane."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".body.full_motion": "full_motion",
        ".body.skeleton": "figure_skeleton",
        ".climb": "Climb ClimbMotion ClimbPath Source",
        ".core": "Core FoundPath",
        ".environment_table": "anchor_of grasp_table",
        ".figure": "COORDINATES FIGURES FREE Figure FigureTable LIMBS LIMB_POINTS LINKS POINTS",
        ".file": "read_climb_file",
        ".filters": "smooth_and_time smoothed_path",
        ".kernels.comfort": "HEURISTICS USAGE",
        ".modes": "Mode",
        ".paper.core": "PaperCore",
        ".paper.free": "FreeProblem",
        ".potential": "ControlPotential OccupancyMap Potential",
        ".problem": "ClimbGoal ClimbProblem ClimbStart",
        ".scene": "climb_problems",
        ".stances.core": "StancesCore",
        ".stances.setting": "StanceSetting",
    },
)

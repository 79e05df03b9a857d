"""What the climbers of a scene have to solve."""

from __future__ import annotations

from gambol.climb.figure import Figure, figure_named
from gambol.climb.modes import Mode
from gambol.climb.problem import ClimbGoal, ClimbProblem, ClimbStart
from gambol.errors import InvalidInput
from gambol.scenes.climb_actor import ClimbActor, FigureWish
from gambol.scenes.scene import Scene


def climb_problems(scene: Scene) -> dict[str, ClimbProblem]:
    """Return each climber's problem by name, as if alone there."""
    if scene.environment is None:
        raise InvalidInput(
            f"scene {scene.name!r} is of the kind {scene.kind!r}, expected 'climb': `gambol {scene.kind}` performs it"
        )
    return {climb.name: problem_of(scene, climb) for climb in scene.climbs}


def problem_of(scene: Scene, climb: ClimbActor) -> ClimbProblem:
    """Return what one climber has to solve."""
    assert scene.environment is not None
    return ClimbProblem(
        environment=scene.environment,
        start=ClimbStart(*climb.start, facing=climb.facing, mode=Mode[climb.mode.upper()]),
        goal=ClimbGoal(
            *climb.goal,
            tolerance_m=climb.tolerance_m,
            mode=None if climb.goal_mode is None else Mode[climb.goal_mode.upper()],
        ),
        figure=figure_of(climb.figure),
        seed=scene.seed_of(climb.name),
        max_stances=climb.max_stances,
    )


def figure_of(wish: FigureWish) -> Figure:
    """Return the body that a scene asks for."""
    if wish.name:
        return figure_named(wish.name)
    return Figure(f"{wish.stature_m:g} m", wish.stature_m, wish.legs, wish.arms, wish.head)

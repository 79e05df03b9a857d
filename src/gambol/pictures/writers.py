"""What pictures and videos add to the table of what can be written; see `gambol.deliver.registry`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gambol.deliver.crowds import chosen
from gambol.deliver.motions import nobody_moves, targets_of
from gambol.deliver.registry import PLANE, Delivery, WriteOptions, Writer
from gambol.motion.motion import Motion

if TYPE_CHECKING:
    from gambol.stages.climbs import Climbed, ClimbPerformance
    from gambol.stages.crowds import CrowdPerformance
    from gambol.stages.performance import Progress
    from gambol.stages.plans import PlanPerformance
    from gambol.stages.variants import VariantsPerformance

KINDS = ("plan", "crowd", "climb", "variants")
MOST_FILMED = 4  # motions, >= 1: the most inputs, and the most variants, in a video
WRITERS = (
    *(Writer(kind, ".png", f"{__name__}:draw_{kind}", extra="pictures") for kind in KINDS),
    *(Writer(kind, ".mp4", f"{__name__}:film_{kind}", extra="pictures") for kind in KINDS),
)


def draw_plan(performance: PlanPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Draw the map, the search trees where the plans have them, and a strip of poses."""
    from gambol.pictures.plan_picture import plan_picture

    plan_picture(
        path,
        performance.scene.world,
        performance.plans,
        performance.realized,
        problems=performance.problems,
        names=performance.names,
        title=performance.scene.name,
    )
    return Delivery((path,))


def film_plan(performance: PlanPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    from gambol.pictures.plan_video import plan_video

    if not performance.own_motions:
        return nobody_moves(path)
    plan_video(
        path,
        performance.scene.world,
        performance.plans,
        performance.realized,
        problems=performance.problems,
        names=performance.names,
        rate_hz=options.video_rate_hz,
        progress=_filming(path, say),
    )
    return Delivery((path,))


def draw_crowd(performance: CrowdPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Draw a map of the end, with plots."""
    from gambol.pictures.crowd_picture import crowd_picture

    scene = performance.scene
    crowd_picture(path, performance.recording, scene.world, report=performance.course, title=scene.name)
    return Delivery((path,))


def film_crowd(performance: CrowdPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Film everyone, or from behind the one character that was chosen."""
    from gambol.pictures.crowd_video import crowd_video

    who, missing = chosen(performance, options)
    one = who[0] if who is not None and len(who) == 1 else None
    crowd_video(
        path,
        performance.recording,
        performance.scene.world,
        camera="overview" if one is None else "follow",
        who=one,
        progress=_filming(path, say),
    )
    return Delivery((path,), missing)


def draw_climb(performance: ClimbPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Draw each climb, in a file of its own where there are several climbers."""
    from gambol.pictures.climb_picture import climb_picture

    checks = () if performance.report is None else performance.report.climbs
    planes = {check.name: check.plane for check in checks}
    name = performance.scene.name
    targets = targets_of(path, performance.names)
    for climbed in performance.climbs:
        title = name if len(targets) == 1 else f"{name}: {climbed.name}"
        climb_picture(targets[climbed.name], climbed.climb, planes.get(climbed.name), title=title)
    return Delivery(tuple(targets.values()))


def film_climb(performance: ClimbPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Film each climb, without the ways over the ground, in a file of its own where there are several climbers."""
    files, skipped = [], []
    targets = targets_of(path, performance.names)
    for climbed in performance.climbs:
        target = targets[climbed.name]
        if climbed.motion is None:
            skipped.append(f"{target}: {climbed.name} does not move: {climbed.reason}")
        else:
            _film_one(climbed, target, options.view, _filming(target, say))
            files.append(target)
    return Delivery(tuple(files), tuple(skipped))


def draw_variants(performance: VariantsPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Draw plots; beside them poses, a graph of what goes together and, if the clips were tested, the test."""
    from gambol.pictures.variation_graph import correlation_graph
    from gambol.pictures.variation_plots import screening_plot, variation_plots
    from gambol.pictures.variation_poses import overlaid_poses

    model = performance.model
    assert model is not None
    examples = model.examples
    poses, graph, tested = (path.with_name(f"{name}{path.suffix}") for name in ("poses", "graph", "screening"))
    say("drawing plots", 0.0)
    new = [examples.encoding.encode(variant.motion) for variant in performance.variants]
    variation_plots(path, examples.encoding, examples.values, new)
    say("drawing poses", 0.0)
    overlaid_poses(poses, list(_shown(performance).items()))
    say("drawing what goes together", 0.0)
    correlation_graph(graph, model)
    if performance.screening is None:
        return Delivery((path, poses, graph))
    screening_plot(tested, performance.screening)
    return Delivery((path, poses, graph, tested))


def film_variants(performance: VariantsPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Film inputs and variants side by side."""
    from gambol.pictures.variation_video import side_by_side

    rows = {words: motions[:MOST_FILMED] for words, motions in _shown(performance).items()}
    side_by_side(path, rows, progress=lambda share: say("filming", share))
    return Delivery((path,))


def _shown(performance: VariantsPerformance) -> dict[str, list[Motion]]:
    """Return the motions to show, by their captions."""
    model, source = performance.model, performance.source
    assert model is not None
    old = [item.motion for item in model.examples.items] if source is None else [source.motion]
    new = list(performance.motions.values())
    return {_count(len(old), "input") if source is None else source.name: old, _count(len(new), "variant"): new}


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _film_one(climbed: Climbed, path: Path, view: str, progress: Callable[[int, int], None]) -> None:
    from gambol.pictures.climb_round import climb_film
    from gambol.pictures.climb_video import climb_video

    climb = climbed.climb
    assert climb.motion is not None
    assert climbed.body is not None
    if view == PLANE:
        climb_video(path, climb.problem, climb.motion, progress=progress)
    else:
        climb_film(path, climb.problem, climb.motion, climbed.body, view=view, progress=progress)


def _filming(path: Path, say: Progress) -> Callable[[int, int], None]:
    return partial(_say_share, say, f"filming {path.name}")


def _say_share(say: Progress, what: str, done: int, count: int) -> None:
    say(what, done / count)

"""LK06 figure 14: one character's whole way planned again while a goal or an obstacle is dragged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.dragging import FAR_M, Dragged, beside_the_way, drag, goal_moved, obstacle_moved
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.published import number
from evidence.reproductions.report import Report, Row, Table, Value, row
from evidence.reproductions.solution_drawing import Solution, draw_solution
from evidence.reproductions.subjects import lk06_character
from gambol.animate import play
from gambol.planners import DEFAULT_WEIGHT
from gambol.scenes import load_scene
from gambol.search import AStar, Plan, Problem
from gambol.trees import TreePlanner

NAME = "lk06-figure-14"
STATES = 21
FALLBACK_S = 0.5  # as in the viewer, while something is dragged
SCENES = {"simple": "search", "large": "large"}
POSES_S = {"simple": 1.0, "large": 2.0}  # [LK06 figure 14]
ENLARGED = {"simple": 1.0, "large": 2.0}  # times, of the people in pictures
GOAL, OBSTACLE = "goal moved", "obstacle moved"
DRAGGED, CAME, PUBLISHED = "dragged", "what came of it", "published"
RATE, WHOLE, SLOW, WORLD, SCREEN = (
    "re-plans a second",
    "ms",
    "9 of 10 below, ms",
    "of it the world, ms",
    "Hz of a screen",
)
FRAMES, POSES, FOUND, FELL_BACK, WAYS = "frames", "all poses, ms", "% found", "% by search", "different ways"
TIMES, RESULTS = (RATE, WHOLE, SLOW, WORLD, SCREEN), (FRAMES, POSES, FOUND, FELL_BACK, WAYS)
OTHER_WAY = (
    "An obstacle that moves changes the world for every look-up: clearances, closed cells and the rough map are worked "
    "out anew around it, and look-ups test every instant of an eight-part body where the paper's test two points of a "
    "disc. The paper's time is of its own machine of 2006, to one figure."
)


@dataclass(frozen=True)
class Size:
    places: int
    step_m: float


FULL = Size(300, 0.1)
QUICK = Size(12, 0.5)


def run(quick: bool, say: Say) -> Result:
    """Drag the goal and the obstacle nearest to the way in both worlds, and draw both solutions."""
    size = QUICK if quick else FULL
    planner = TreePlanner(fallback=AStar(weight=DEFAULT_WEIGHT, time_limit_s=FALLBACK_S), trace=True)
    quick_planner = replace(planner, trace=False)
    problems, plans, names, found = {}, {}, {}, {}
    for label, scene_name in SCENES.items():
        problems[label] = problem_in(scene_name)
        plans[label] = planner.solve(problems[label])
        names[label] = beside_the_way(problems[label], plans[label]).name
        for what, change in ((GOAL, goal_moved), (OBSTACLE, obstacle_moved(names[label]))):
            say(f"{label}: {what}", len(found) / 4.0)
            found[label, what] = drag(problems[label], quick_planner, change, places=size.places, step_m=size.step_m)
    pictures = {f"{NAME}-{label}.png": _picture(label, problems[label], plan) for label, plan in plans.items()}
    report = Report(
        item=NAME,
        title="LK06 figure 14: one character's whole way, planned again while one drags",
        quick=quick,
        setting=(
            f"Simple: the world of the shipped scene `{SCENES['simple']}`, 26 x 20 m with a dead end and a wall to "
            f"crawl under or jump over; large: the shipped scene `{SCENES['large']}`, 70 x 70 m with "
            f"{len(problems['large'].world.obstacles)} obstacles. In both the human with LK06's {STATES} states and "
            "its eight-part body, from rest to rest; its four trees, of at most 500,000 nodes together, are grown once "
            "(seed 0) and kept.",
            f"The goal, then the tall obstacle nearest to the middle of the way (`{names['simple']}`, "
            f"`{names['large']}`), are dragged to {size.places} places each, up to {FAR_M:g} m to either side, "
            f"{size.step_m:g} m from one to the next. At each the whole way is planned from the start on, as the "
            f"viewer does it: over paths of trees, and by weighted A* of at most {FALLBACK_S:g} s where they have no "
            "answer.",
            "Times are medians of processor time, one thread: from the change to the plan, with all that a changed "
            "world costs. Nothing is drawn.",
        ),
        tables=(dragged_table(found), _results_table(found), _published_table(problems, plans, found)),
        differences=_differences(found),
        pictures=tuple(pictures),
    )
    return Result(report, pictures)


def problem_in(scene_name: str) -> Problem:
    """Return the problem of a scene's first character, for the human with LK06's states."""
    scene = load_scene(scene_name)
    return replace(scene.problem(scene.cast[0]), character=lk06_character(STATES))


def _picture(label: str, problem: Problem, plan: Plan) -> Picture:
    larger = f", people drawn {ENLARGED[label]:g} times as large" if ENLARGED[label] > 1.0 else ""
    words = f"{label}: {plan.frame_count:,} frames, poses {POSES_S[label]:g} s apart{larger}"
    motion = play(plan.character, plan.steps)
    return draw_solution(Solution(problem, plan, motion, POSES_S[label], words, ENLARGED[label]))


def screen_hz(dragged: Dragged) -> float:
    """Return the rate of a screen that needs as long for drawing as the paper's, which had 28 Hz at rest."""
    drawing_s = 1.0 / number(claim("lk06.fig14.screen.rest"))
    return 1.0 / (drawing_s + float(np.median(dragged.whole_s)))


def dragged_table(found: Mapping[tuple[str, str], Dragged]) -> Table:
    """Return what dragging took, with the claims beside what the paper dragged: an obstacle."""
    note = (
        "The paper says how often the whole way was planned again, with drawing, and how long planning alone took. "
        f"{SCREEN}: if drawing took as long as at its 28 Hz at rest. {OTHER_WAY}"
    )
    rows: list[Row] = []
    for (label, what), dragged in found.items():
        whole_s = dragged.whole_s
        ours = [
            dragged.rate_hz, 1e3 * float(np.median(whole_s)), 1e3 * float(np.quantile(whole_s, 0.9)),
            1e3 * float(np.median(dragged.world_s)), screen_hz(dragged),
        ]  # fmt: skip
        keys = {RATE: "rate", WHOLE: "ms", SCREEN: "screen"} if what == OBSTACLE else {}
        beside = [claim(f"lk06.fig14.{label}.{keys[name]}") if name in keys else None for name in TIMES]
        rows.append(row(f"{label}, {what}", ours, beside))
    return Table(DRAGGED, TIMES, tuple(rows), note)


def _results_table(found: Mapping[tuple[str, str], Dragged]) -> Table:
    rows = [
        row(f"{label}, {what}", [
            float(np.median(one.frames)), 1e3 * float(np.median(one.poses_s)), 100.0 * float(one.found.mean()),
            100.0 * float(one.fell_back.mean()), one.ways,
        ])
        for (label, what), one in found.items()
    ]  # fmt: skip
    note = "Making every pose of the motion, at full rate, comes on top of planning."
    return Table(CAME, RESULTS, tuple(rows), note)


def _published_table(
    problems: Mapping[str, Problem], plans: Mapping[str, Plan], found: Mapping[tuple[str, str], Dragged]
) -> Table:
    x0, _, x1, _ = problems["large"].world.bounds
    fastest = max(found.values(), key=lambda one: one.rate_hz)
    said: list[tuple[str, Value, str, str]] = [
        ("simple: s of motion", plans["simple"].duration_s, "simple.seconds", ""),
        ("simple: frames of motion", plans["simple"].frame_count, "simple.frames", ""),
        ("simple: s from pose to pose in the picture", POSES_S["simple"], "simple.poses", ""),
        ("large: m along a side", x1 - x0, "large.side", ""),
        ("large: frames of motion", plans["large"].frame_count, "large.frames", ""),
        ("large: s from pose to pose in the picture", POSES_S["large"], "large.poses", ""),
        (
            "Hz of the screen, nothing changing", "not drawn", "screen.rest",
            "What the paper's drawing alone allows; ours is drawn by a browser, at its own rate, while the way is "
            f"planned elsewhere, up to {fastest.rate_hz:,.0f} times a second.",
        ),
        ("resolution of the screen", "not drawn", "resolution", ""),
    ]  # fmt: skip
    rows = tuple(row(label, [ours], [claim(f"lk06.fig14.{key}")], note=note) for label, ours, key, note in said)
    return Table(PUBLISHED, ("ours",), rows)


def _differences(found: Mapping[tuple[str, str], Dragged]) -> tuple[str, ...]:
    rates = [dragged.rate_hz for dragged in found.values()]
    ms = {key: 1e3 * float(np.median(dragged.whole_s)) for key, dragged in found.items()}
    lost = sum(int((~dragged.found).sum()) for dragged in found.values())
    everywhere = "At every place there is a way" if lost == 0 else f"At {lost} places no way is found"
    return (
        f"The whole way is planned again {min(rates):,.0f} to {max(rates):,.0f} times a second where nothing is drawn; "
        "the paper's 25 times a second are with drawing, which took most of the time.",
        f"Planning alone takes {ms['simple', GOAL]:.1f} ms (goal) and {ms['simple', OBSTACLE]:.1f} ms (obstacle) in "
        f"the simple world (paper: about 3), {ms['large', GOAL]:.1f} and {ms['large', OBSTACLE]:.1f} ms in the large "
        "one (about 6).",
        f"{everywhere}; {sum(int(one.fell_back.sum()) for one in found.values())} of "
        f"{sum(len(one.found) for one in found.values())} are found by search, where trees had no answer.",
    )


ITEM = Item(NAME, "the whole way planned again while a goal or an obstacle is dragged, in two worlds", run)

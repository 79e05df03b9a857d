"""Draw what docs/climbing.md shows: climbs of all scenes, the machine of modes, comfort, motion without contact, films.

python -m tools.draw_climb [machine|comfort|free|films|SCENE …]; without names, everything but films.
"""

from __future__ import annotations

import sys
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
from evidence.reproductions.free_problems import bent_corridor, dead_end, two_blocks
from numpy.typing import NDArray
from PIL import Image
from tools.draw.comfort import comfort_page
from tools.draw.mode_change import transition_of, transition_page
from tools.draw.mode_machine import machine_page

from gambol.climb.body.full_motion import full_motion
from gambol.climb.climb import Climb
from gambol.climb.figure import POINTS
from gambol.climb.filters import smoothed_path
from gambol.climb.filters.tables import filter_tables
from gambol.climb.paper.free import solve_free
from gambol.climb.problem import ClimbGoal, ClimbProblem, ClimbStart
from gambol.climb.scene import climb_problems
from gambol.files.disk import write_atomically
from gambol.judges.climbs import judge_climb
from gambol.pictures.climb_environment import draw_environment, extent_of
from gambol.pictures.climb_numbers import numbers_page
from gambol.pictures.climb_page import EDGES_PX, scale_for, size_px
from gambol.pictures.climb_round import climb_film
from gambol.pictures.climb_strip import course_page, draw_along, strip_page
from gambol.pictures.climb_track import Track
from gambol.pictures.climb_video import climb_video
from gambol.pictures.lettering import INK
from gambol.pictures.map_paths import GOAL
from gambol.pictures.page import Page
from gambol.pictures.png import encode_png
from gambol.scenes.file import load_scene
from gambol.scenes.find import shipped_scenes
from gambol.search.plan import Outcome
from gambol.stages.climber import Climber

PICTURES = Path(__file__).parent.parent / "docs" / "pictures" / "climb"
MOST_BYTES = 150_000
NARROWEST_PX = 560
FRAMES = 10  # of a change of mode
STRIPS = ("climb-course", "climb-wall", "climb-tunnel")
NUMBERS = ("climb-course",)
FILMS = ("climb-course",)
FREE_PX = (410, 400)  # of a motion without contact, at most
LETTER_M = 0.4  # above heads


def scenes() -> list[str]:
    return [scene.name for scene in shipped_scenes() if scene.name.startswith("climb-")]


@cache
def climbed(name: str) -> Climb:
    (problem,) = climb_problems(load_scene(name)).values()
    climb = Climber().solve(problem)
    print(name, climb.outcome.value, climb.reason, f"{climb.plan_time_s:.2f} s")
    if climb.motion is not None:
        print(*judge_climb(problem, climb.motion).lines(), sep="\n  ")
    return climb


def draw_scene(name: str) -> None:
    """The whole course; of some also strips, numbers and a change of mode."""
    climb = climbed(name)
    if climb.planned is None:
        return
    planned = Track.of(climb.problem, climb.planned)
    motion = planned if climb.motion is None else Track.of(climb.problem, climb.motion)
    found = climb.outcome is Outcome.FOUND
    about = f"{len(planned.path.grasp_changes)} changes of hold, {(len(motion) - 1) / motion.rate_hz:.0f} s"
    about = about if found else climb.outcome.value
    reason = None if found else ("As near as it came" if len(motion) > 1 else "No way found", climb.reason)
    save(course_page(motion, name, about, reason), f"{name}.png")
    if name in STRIPS:
        save(strip_page([planned, motion], name), f"{name}_strip.png")
    if name in NUMBERS:
        falls = () if climb.motion is None else judge_climb(climb.problem, climb.motion).gravity.stretches
        save(numbers_page(motion, name, forbidden=falls), f"{name}_numbers.png")
    middle = transition_of(motion.path)
    if name == "climb-wall" and middle is not None:
        save(transition_page(motion, middle, FRAMES, "from climbing to walking"), f"{name}_transition.png")


def draw_free() -> None:
    """Motion without contact like the paper's figures 3, 4 and 6, after its filters; dotted: going back."""
    problems = {"figure 3": bent_corridor(), "figure 4": two_blocks(), "figure 6": dead_end()}
    left, below, right, above = EDGES_PX
    extents = {name: extent_of(problem.environment) for name, problem in problems.items()}
    scale = min(scale_for(extent, FREE_PX) for extent in extents.values())
    sizes = {name: size_px(extent, scale) for name, extent in extents.items()}
    highest = max(height for _, height in sizes.values())
    page = Page(sum(left + width + right for width, _ in sizes.values()), above + highest + below)
    x = 0
    for name, problem in problems.items():
        found = solve_free(problem)
        assert found.path is not None
        print(name, found.outcome.value, found.reason, found.statistics)
        width, height = sizes[name]
        start, goal = ClimbStart(*problem.start[:2]), ClimbGoal(*problem.goal[:2])
        climb = ClimbProblem(problem.environment, start, goal, problem.figure)
        track = Track.of(climb, smoothed_path(filter_tables(climb), found.path, problem.seed))
        top = above + highest - height
        page.write(x + left, top - 0.5 * above, f"like {name} of the paper")
        axes = page.axes(x + left, top, width, height)
        draw_environment(axes, problem.environment)
        draw_along(axes, track)
        for letter, head in zip("AB", track.points[[0, -1], POINTS.index("head")], strict=True):
            axes.text(head[0], head[1] + LETTER_M, letter, color=INK, ha="center", va="center", zorder=26.0)
        for back in found.backtracks:
            (x1, z1), (x2, z2) = back.dead_end[:2], back.restart[:2]
            axes.plot([x1, x2], [z1, z2], color=GOAL, lw=0.9, linestyle=":", zorder=24.0)
        x += left + width + right
    save(page.pixels(), "free.png")


def draw_films() -> None:
    for name in FILMS:
        climb = climbed(name)
        assert climb.motion is not None
        climb_video(PICTURES / f"{name}.mp4", climb.problem, climb.motion)
        climb_film(PICTURES / f"{name}_body.mp4", climb.problem, climb.motion, full_motion(climb.problem, climb.motion))


def save(pixels: NDArray[np.uint8], name: str) -> None:
    """Write a picture as it is, or as much smaller as the page has room for."""
    picture = Image.fromarray(pixels)
    data = encode_png(pixels, most_bytes=MOST_BYTES, keeps_rare=True)
    width = picture.width
    while len(data) > MOST_BYTES and width > NARROWEST_PX:
        width = round(0.9 * width)
        smaller = picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)
        data = encode_png(np.asarray(smaller), most_bytes=MOST_BYTES, keeps_rare=True)
    with Image.open(BytesIO(data)) as written:
        print(name, written.size, len(data))
    write_atomically(PICTURES / name, data)


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or ["machine", "comfort", "free", *scenes()]:
        if name == "machine":
            save(machine_page(), "machine.png")
        elif name == "comfort":
            save(comfort_page(), "comfort.png")
        elif name == "free":
            draw_free()
        elif name == "films":
            draw_films()
        else:
            draw_scene(name)


if __name__ == "__main__":
    main()

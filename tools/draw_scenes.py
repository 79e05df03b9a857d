"""Draw the scenes that ship, planned, and the page that shows them.

Without names all are drawn, which takes some minutes; the page is always written anew.
"""

from __future__ import annotations

import sys
import tempfile
from io import BytesIO
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

from gambol.climb.scene import climb_problems
from gambol.files.disk import write_atomically
from gambol.pictures.climb_strip import course_page
from gambol.pictures.climb_track import Track
from gambol.pictures.map_world import draw_ground, draw_obstacles
from gambol.pictures.world_colors import character_color
from gambol.planners import default_planner, planner_named
from gambol.scenes.file import load_scene
from gambol.scenes.find import shipped_scenes
from gambol.scenes.scene import Actor
from gambol.search.plan import Outcome
from gambol.stages import PlanStage, perform
from gambol.stages.climber import Climber

DOCS = Path(__file__).parent.parent / "docs"
PICTURES = DOCS / "pictures" / "scenes"
PAGE = DOCS / "scene_gallery.md"
WIDTH_PX = 1100
MOST_BYTES = 150_000
BODY_M = 0.64  # across one who stands, in drawings of crowds
MOST_TRACED = 4  # characters whose search trees are drawn

HEAD = """# Scenes that ship

Each as `gambol plan NAME -o NAME.png` draws it: what stands and moves, the search tree coloured by cost where there are
few characters, the ways with the behaviors played, and the motions from the side. Crowds, which `gambol crowd NAME`
runs, are drawn as they begin, with a cross for everyone's last goal where there is one; climbs from the side, as
`gambol climb NAME` climbs them, or as near as it comes. [scenes.md](scenes.md) is the
format, [planning.md](planning.md) says what happens. This page is written by `tools/draw_scenes.py`.
"""


def draw(name: str) -> None:
    """Plan a scene and draw it, smaller than the command does."""
    scene = load_scene(name)
    count = len(scene.cast)
    performance = perform(scene, PlanStage(planner_named(default_planner(count), trace=count <= MOST_TRACED)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.png"
        performance.save(path)
        picture = Image.open(path).convert("RGB")
    size = (WIDTH_PX, round(picture.height * WIDTH_PX / picture.width))
    write_atomically(PICTURES / f"{name}.jpg", as_jpeg(picture.resize(size, Image.Resampling.LANCZOS)))


def draw_crowd(name: str) -> None:
    """Draw where a crowd begins, and where its members go, if they go anywhere in particular."""
    scene = load_scene(name)
    groups = list(dict.fromkeys(_group(actor) for actor in scene.cast))
    x0, y0, x1, y1 = scene.world.bounds
    width_in = WIDTH_PX / 100
    figure = plt.figure(figsize=(width_in, width_in * (y1 - y0) / (x1 - x0)), dpi=100)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0), xlim=(x0, x1), ylim=(y0, y1), xticks=(), yticks=())
    draw_ground(axes, scene.world)
    draw_obstacles(axes, scene.world.obstacles, np.empty((0, 2)))
    size_pt = max(72 * width_in * BODY_M / (x1 - x0), 3.0)
    for number, group in enumerate(groups):
        color = character_color(number)
        members = [actor for actor in scene.cast if _group(actor) == group]
        starts = np.array([actor.start for actor in members])
        ahead = BODY_M * np.stack((np.cos(starts[:, 2]), np.sin(starts[:, 2])), axis=1)
        goals = np.array([(actor.goal.x, actor.goal.y) for actor in members if actor.goal is not None])
        if len(goals):
            axes.plot(*goals.T, "+", color=color, markersize=size_pt, markeredgewidth=0.8)
        label = f"{group}: {len(members):,}"
        axes.plot(*starts[:, :2].T, "o", color=color, markersize=size_pt, markeredgewidth=0, label=label)
        noses = starts[:, :2] + ahead
        axes.plot(*np.stack((starts[:, :2], noses)).transpose(2, 0, 1), color=color, linewidth=0.25 * size_pt)
    axes.set_xlim(x0, x1)
    axes.set_ylim(y0, y1)
    axes.legend(loc="upper right", fontsize=9)
    data = BytesIO()
    figure.savefig(data)
    plt.close(figure)
    write_atomically(PICTURES / f"{name}.jpg", as_jpeg(Image.open(data).convert("RGB")))


def draw_climb(name: str) -> None:
    """Climb a scene and draw it from the side."""
    problem = next(iter(climb_problems(load_scene(name)).values()))
    climb = Climber().solve(problem)
    shown = climb.motion or climb.planned
    assert shown is not None
    reason = None if climb.outcome is Outcome.FOUND else ("As near as it came", climb.reason)
    picture = Image.fromarray(course_page(Track.of(climb.problem, shown), name, reason=reason)).convert("RGB")
    write_atomically(PICTURES / f"{name}.jpg", as_jpeg(picture))


def _group(actor: Actor) -> str:
    return actor.name.rpartition("-")[0] or actor.name


def as_jpeg(picture: Image.Image) -> bytes:
    """Return a picture as a JPEG file, as good as is small enough."""
    for quality in range(88, 30, -4):
        data = BytesIO()
        picture.save(data, "JPEG", quality=quality, optimize=True, progressive=True)
        if data.tell() <= MOST_BYTES:
            break
    return data.getvalue()


def page() -> str:
    """Return the page with every scene, its line and its picture."""
    parts = [HEAD]
    for scene in shipped_scenes():
        parts.append(f"## {scene.name}\n\n{scene.summary}\n\n![{scene.name}](pictures/scenes/{scene.name}.jpg)\n")
    return "\n".join(parts)


def main() -> None:
    kinds = {scene.name: scene.kind for scene in shipped_scenes()}
    if any(kinds[name] == "plan" for name in sys.argv[1:] or kinds):
        perform(load_scene("first"))  # so that the times in the pictures are not those of compiling
    for name in sys.argv[1:] or kinds:
        {"plan": draw, "crowd": draw_crowd, "climb": draw_climb}[kinds[name]](name)
        print(f"{name}: {(PICTURES / f'{name}.jpg').stat().st_size // 1000} kB", flush=True)
    PAGE.write_text(page())


if __name__ == "__main__":
    main()

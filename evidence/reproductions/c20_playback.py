"""C20 section 3: how far feet slide when its states are played, turn by turn, and what leaving a plan runs into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.interpolate import CubicSpline

from evidence.reproductions.c20_scenes import ENGINE, OURS, STRAIGHT, Playback, playbacks_of
from evidence.reproductions.claim import claim
from evidence.reproductions.cluttered import BOXES, cluttered
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.naive_playback import BLEND_S, FloatArray, moved_to
from evidence.reproductions.played import Played
from evidence.reproductions.report import Report, Row, Table, row, shown
from evidence.reproductions.scene_drawing import WIDTH_PX, MapPanel, draw_maps, shown_of, stacked
from gambol.characters import Character, Clip
from gambol.motion import Contacts, Motion, edits, slide_speeds
from gambol.pictures import INK, PALE_INK, Page
from gambol.scenes import load_scene
from gambol.stages import perform

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "c20-playback"
TITLE = "C20 section 3: feet that slide, and plans that are left"
ANGLES = tuple(range(0, 91, 15))
GAITS = ("slow", "walk", "fast", "jog")
FULL_WORLDS, QUICK_WORLDS = 30, 4
SLIDES, TURNED, CLUTTER = "slide, mean cm/s: one clip, turned as C20 does", "clips that turn", "cluttered worlds"
MEAN, MOST = "mean cm/s", "most cm/s"
COLLIDE, COLLISIONS, OFF = "worlds with a collision", "collisions", "most off the plan, cm"
ANY_TURN, NO_TURN = "any turn", "0 degrees"
Slides = dict[str, dict[int, FloatArray]]  # m/s of planted points, by gait and angle


def run(quick: bool, say: Say) -> Result:
    """Play one clip at every angle in C20's manner, and plans through cluttered worlds in three manners."""
    character = load_scene("c20-static").cast[0].character
    say("turning clips", 0.0)
    slides = {gait: {angle: turned_slides(character.behavior(gait).clips[0], angle) for angle in ANGLES}
              for gait in GAITS}  # fmt: skip
    ours = {gait: {angle: _own_slides(character, gait, angle) for angle in ANGLES} for gait in GAITS}
    worlds = QUICK_WORLDS if quick else FULL_WORLDS
    played: list[tuple[Played, tuple[Playback, ...]]] = []
    for seed in range(worlds):
        say("crossing cluttered worlds", seed / worlds)
        one = Played(f"world {seed}", perform(cluttered(seed)))
        if one.arrived:
            played.append((one, playbacks_of(one)))
    pictures = {f"{NAME}.png": _picture(slides, ours, played)}
    tables = (_slides_table(slides), _turned_table(slides, ours), _clutter_table(played))
    return Result(
        Report(
            item=NAME,
            title=TITLE,
            quick=quick,
            setting=(
                "Turning: the straight clips of the human's behaviors `c20`, one cycle each, on a root that goes "
                "straight and evenly to where C20 puts the child state (the clip's displacement, turned by the angle) "
                "while its heading turns evenly by that angle: C20's sections 1.3 and 1.4, with our clips. *Clips that "
                "turn*: ours of the same gait and angle, played as they are.",
                f"Clutter: {worlds} worlds (seeds 0 to {worlds - 1}) of 24 by 10 m with {BOXES} boxes of 0.6 to 1.8 m "
                f"by chance, {len(played)} of which have a way; played as in `c20-scenes`, speeds blended for "
                f"{BLEND_S:g} s. Bodies are capsules, 1 cm deep is a collision.",
            ),
            tables=tables,
            differences=_differences(slides, ours, played, worlds),
            pictures=tuple(pictures),
        ),
        pictures,
    )


def turned_slides(clip: Clip, angle_deg: float) -> FloatArray:
    """Return how fast planted points slide, m/s, where a straight clip is turned by an angle in C20's manner."""
    cut, planted, path = _proper(clip)
    angle = np.radians(angle_deg)
    share = np.linspace(0.0, 1.0, len(path))[:, None]
    length = float(np.hypot(*path[-1, :2]))
    goal = np.array([length * np.cos(angle), length * np.sin(angle), angle])
    played = moved_to(cut, path, share * goal)
    return slide_speeds(played, planted)


def _proper(clip: Clip) -> tuple[Motion, Contacts, FloatArray]:
    """Return a clip without its margins: motion, contacts, and path at the motion's frames."""
    first, last = clip.margin, clip.motion.frame_count - clip.margin
    cut = edits.take(clip.motion, slice(first, last))
    contacts = replace(clip.contacts, planted=clip.contacts.planted[first:last])
    frames = np.linspace(0.0, clip.duration, cut.frame_count)
    return cut, contacts, CubicSpline(np.arange(clip.duration + 1), clip.path)(frames)


def _own_slides(character: Character, gait: str, angle: int) -> FloatArray:
    """Return how fast planted points slide in our clip of a gait that turns by an angle."""
    name = gait if angle == 0 else f"{gait}-left-{angle}"
    cut, contacts, _ = _proper(character.behavior(name).clips[0])
    return slide_speeds(cut, contacts)


def _mean(slides: Sequence[FloatArray]) -> float:
    return 100.0 * float(np.nanmean(np.concatenate([one.ravel() for one in slides])))


def _most(slides: Sequence[FloatArray]) -> float:
    return 100.0 * float(np.nanmax(np.concatenate([one.ravel() for one in slides])))


def _slides_table(slides: Slides) -> Table:
    rows = [row(f"{angle} degrees", [_mean([slides[gait][angle]]) for gait in GAITS]) for angle in ANGLES]
    note = "At 0 degrees what is left is that the clip's own root does not go evenly. Turns to the left."
    return Table(SLIDES, GAITS, tuple(rows), note)


def _turned_table(slides: Slides, ours: Slides) -> Table:
    def pair(which: Slides, angles: Sequence[int]) -> list[float]:
        every = [which[gait][angle] for gait in GAITS for angle in angles]
        return [_mean(every), _most(every)]

    turned = [angle for angle in ANGLES if angle > 0]
    rows = (
        row(f"C20's manner, {ANY_TURN}", pair(slides, turned), [claim("c20.s3.slide"), None]),
        row(f"C20's manner, {NO_TURN}", pair(slides, (0,))),
        row(f"clips that turn, {ANY_TURN}", pair(ours, turned)),
        row(f"clips that turn, {NO_TURN}", pair(ours, (0,))),
    )
    return Table(TURNED, (MEAN, MOST), rows, "Of heels and toes while they are planted, all gaits together.")


def _clutter_table(played: Sequence[tuple[Played, tuple[Playback, ...]]]) -> Table:
    rows: list[Row] = []
    for number, label in enumerate((OURS, STRAIGHT, ENGINE)):
        ways = [ways[number] for _, ways in played]
        ours = [
            sum(way.collisions > 0 for way in ways), sum(way.collisions for way in ways),
            100.0 * max((way.off_m for way in ways), default=0.0),
        ]  # fmt: skip
        rows.append(row(label, ours, [None, claim("c20.s3.engine_collisions"), None] if label == ENGINE else None))
    note = (
        f"Of {len(played)} worlds. C20 plans with straight lines, so that its own straight root keeps clear; ours "
        "plans with the ways that clips go, and straight lines between its states cut corners."
    )
    return Table(CLUTTER, (COLLIDE, COLLISIONS, OFF), tuple(rows), note)


def _differences(
    slides: Slides, ours: Slides, played: Sequence[tuple[Played, tuple[Playback, ...]]], worlds: int
) -> tuple[str, ...]:
    turned = [angle for angle in ANGLES if angle > 0]
    theirs = _mean([slides[gait][angle] for gait in GAITS for angle in turned])
    own = _mean([ours[gait][angle] for gait in GAITS for angle in turned])
    hit = [sum(ways[number].collisions > 0 for _, ways in played) for number in range(3)]
    return (
        f"Turned in C20's manner, planted feet slide {theirs:.0f} cm/s on average, from "
        f"{_mean([slides[gait][15] for gait in GAITS]):.0f} at 15 degrees to "
        f"{_mean([slides[gait][90] for gait in GAITS]):.0f} at 90; C20 calls it significant. In clips that turn they "
        f"slide {shown(own)}.",
        f"Of {worlds} cluttered worlds {len(played)} have a way. As delivered {hit[0]} of these have a collision, with "
        f"blended speeds {hit[2]}, and with straight lines {hit[1]}"
        + (": leaving the plan runs into things where there is little room, as C20 found." if hit[2] else "."),
        "Not reproduced: C20's clips, its engine and its scenes, none of which are published.",
    )


def _picture(slides: Slides, ours: Slides, played: Sequence[tuple[Played, tuple[Playback, ...]]]) -> Picture:
    """Return slides over the angle, and the world below in which leaving the plan does most harm."""
    page = Page(WIDTH_PX, 460)
    axes = page.axes(90, 20, WIDTH_PX - 130, 370)
    for gait, color in zip(GAITS, ("#0072b2", "#009e73", "#d55e00", "#b8619a"), strict=True):
        axes.plot(ANGLES, [_mean([slides[gait][angle]]) for angle in ANGLES], "o-", color=color,
                  label=f"{gait}, turned as C20 does")  # fmt: skip
    every = [_mean([ours[gait][angle] for gait in GAITS]) for angle in ANGLES]
    axes.plot(ANGLES, every, "s--", color=INK, label="clips that turn, all gaits")
    axes.set_xticks(ANGLES)
    axes.set_xlabel("degrees turned in one clip", color=PALE_INK)
    axes.set_ylabel("slide of planted feet, mean cm/s", color=PALE_INK)
    axes.set_ylim(0.0, None)
    axes.legend(fontsize=9, frameon=False)
    axes.grid(alpha=0.3)
    if not played:
        return page.pixels()
    one, ways = max(played, key=lambda pair: pair[1][2].collisions)

    def draw_ways(axes: Axes) -> None:
        for way, style, color in ((ways[1], "--", "black"), (ways[2], "-", "crimson")):
            axes.plot(way.path[:, 0], way.path[:, 1], style, color=color, linewidth=1.4, zorder=50)

    title = f"{one.label}, red: {ENGINE}, {ways[2].collisions} collisions, dashed: {STRAIGHT}"
    panel = MapPanel(title, one.performance.scene.world, shown_of(one.performance), draw_more=draw_ways)
    return stacked([page.pixels(), draw_maps([panel], across=1)])


ITEM = Item(NAME, "how feet slide when clips are turned as C20 turns them, and what leaving a plan runs into", run)

"""Draw and measure the characters cut out of CMU's captures, for the documentation; needs GAMBOL_MOCAP."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from gambol.body.capsules import Body
from gambol.body.skin import build_skin
from gambol.characters.bend import bend
from gambol.characters.character import Character
from gambol.characters.check import MOST_POSE_M, MOST_VELOCITY_M_S, MOST_VELOCITY_SHARE, check_character
from gambol.characters.check_clips import MOST_RIDE_SLIDE_M_S, MOST_SLIDE_M_S, mean_ride_slide, mean_slide
from gambol.characters.check_joins import join_mismatches
from gambol.characters.clearance import highest_hurdle, lowest_beam
from gambol.characters.clip import Clip
from gambol.characters.store import load_character
from gambol.motion.contacts import ADULT_LEG_M, leg_length, point_positions, runs
from gambol.pictures.character_pictures import draw_clips
from gambol.pictures.figure import LEFT, RIGHT
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.root_paths import draw_root_paths
from gambol.pictures.state_machine import draw_state_machine

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
PAGE = ROOT / "docs" / "cmu_characters.md"
JOGGER_CLIPS = (
    "jog-LL", "jog-left-32-LL", "jog-right-46-LL", "jump-low-LL", "jump-over-RL", "jump-two-foot-LL", "duck-LL",
    "crouch-LL", "crawl-LL", "stop-L", "stand", "go-L", "turn-left-90", "side-left", "back", "walk-RR",
    "walk-RR-left-45", "walk-RR-right-45", "jog-to-walk-L", "walk-to-jog-RL",
)  # fmt: skip
BENDS_DEG = (-90, -60, -30, 0, 30, 60, 90)


def main() -> None:
    jogger = load_character(ROOT / "characters" / "cmu_108.toml")
    skateboarder = load_character(ROOT / "characters" / "cmu_134.toml")
    for stem, character in (("cmu_108", jogger), ("cmu_134", skateboarder)):
        draw_state_machine(character, PICTURES / f"{stem}_states.png")
        draw_root_paths(character, PICTURES / f"{stem}_ways.png")
    draw_clips([(jogger.behavior(name), jogger.behavior(name).clips[0]) for name in JOGGER_CLIPS],
               build_skin(Body.from_skeleton(jogger.skeleton)), PICTURES / "cmu_108_clips.png")  # fmt: skip
    draw_clips([(behavior, behavior.clips[0]) for behavior in skateboarder.behaviors],
               build_skin(Body.from_skeleton(skateboarder.skeleton)), PICTURES / "cmu_134_clips.png")  # fmt: skip
    draw_bends(jogger.behavior("walk-RR").clips[0], PICTURES / "bends.png")
    PAGE.write_text(page(jogger, skateboarder), encoding="utf-8")


def draw_bends(clip: Clip, path: Path) -> None:
    """Draw a clip's way and footprints from above, bent by several angles."""
    figure = Figure(figsize=(9.0, 2.7), dpi=120, facecolor="white", layout="constrained")
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for number, degrees in enumerate(BENDS_DEG):
        bent = bend(clip, np.radians(degrees))
        shift = 1.5 * number
        axes.plot(shift - bent.path[:, 1], bent.path[:, 0], color=PALE_INK, lw=1.0)
        points = point_positions(bent.motion, bent.contacts.points)
        for side, color in (("left", LEFT), ("right", RIGHT)):
            heel, toe = (bent.contacts.index(f"{side}_{part}") for part in ("heel", "toe"))
            stands = bent.contacts.planted[:, heel] & bent.contacts.planted[:, toe]
            for first, last in runs(stands):
                foot = points[(first + last) // 2, [heel, toe]]
                axes.plot(shift - foot[:, 1], foot[:, 0], color=color, lw=5.0, solid_capstyle="round")
        axes.text(shift, -0.75, f"{degrees}°", ha="center", color=INK, fontsize=10)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title("One walking cycle of subject 108, bent: the way and where the feet stand", fontsize=11, color=INK)
    canvas.print_png(path)


def page(jogger: Character, skateboarder: Character) -> str:
    """Return the page of measured numbers."""
    lines = [
        "# Characters from CMU's captures", "",
        "Made by `python tools/draw_characters.py` from `characters/cmu_108.toml` and `characters/cmu_134.toml`, which "
        "hold file names and frames only.", "",
        "| | CMU 108 | CMU 134 | limit |", "|---|--:|--:|--:|",
    ]  # fmt: skip
    columns = [_facts(character) for character in (jogger, skateboarder)]
    limits = _limits([leg_length(character.skeleton) / ADULT_LEG_M for character in (jogger, skateboarder)])
    lines += [f"| {what} | {columns[0][what]} | {columns[1][what]} | {limits.get(what, '')} |" for what in columns[0]]
    lines += [
        "", "Limits grow with the length of the legs. "
        "Mismatch is the mean over the joints, without fingers, of the worst pair of clips; speeds that differ by less "
        f"than {MOST_VELOCITY_M_S} m/s are never a mismatch.", "",
        "What subject 108 clears by its swept shapes, blending with all neighbours included:", "",
        "| clip | hurdle 0.2 m thick | beam 0.5 m deep |", "|---|--:|--:|",
    ]  # fmt: skip
    for behavior in jogger.behaviors:
        if behavior.kind in ("jump", "low"):
            clip = behavior.clips[0]
            over = f"{highest_hurdle(clip).height_m:.2f} m" if behavior.kind == "jump" else ""
            under = f"{lowest_beam(clip).height_m:.2f} m" if behavior.kind == "low" else ""
            lines.append(f"| {behavior.name} | {over} | {under} |")
    lines += [
        "", "![The state machine of subject 108](pictures/cmu_108_states.png)",
        "", "![Ways of subject 108](pictures/cmu_108_ways.png)",
        "", "![Clips of subject 108](pictures/cmu_108_clips.png)",
        "", "![The state machine of subject 134](pictures/cmu_134_states.png)",
        "", "![Ways of subject 134](pictures/cmu_134_ways.png)",
        "", "![Clips of subject 134](pictures/cmu_134_clips.png)", "",
    ]  # fmt: skip
    return "\n".join(lines)


def _facts(character: Character) -> dict[str, str]:
    clips = list({id(clip): clip for behavior in character.behaviors for clip in behavior.clips}.values())
    mismatches = join_mismatches(character)
    poses = 100.0 * np.array([mismatch.pose_m for mismatch in mismatches])
    speeds = np.array([m.velocity_m_s / m.speed_m_s for m in mismatches if m.velocity_m_s > MOST_VELOCITY_M_S])
    findings = check_character(character)
    slides = 100.0 * np.array([mean_slide(clip) for clip in clips])
    rides = 100.0 * np.array([mean_ride_slide(clip) for clip in clips])
    return {
        "behaviors, clips": f"{len(character.behaviors)}, {len(clips)}",
        "transitions": f"{len(mismatches):,}",
        "findings of the check": f"{len(findings)}",
        "pose mismatch, median": f"{np.median(poses):.1f} cm",
        "pose mismatch, worst": f"{poses.max():.1f} cm",
        "velocity mismatch, worst share of the speed": f"{speeds.max():.2f}",
        "foot slide of a clip, worst mean": f"{slides.max():.1f} cm/s",
        "slide on the board, worst mean": f"{rides.max():.1f} cm/s" if rides.any() else "",
    }


def _limits(sizes: list[float]) -> dict[str, str]:
    """Return the check's limits for figures of these sizes."""

    def each(values: list[float], unit: str) -> str:
        return ", ".join(f"{100 * value:.1f}" for value in values) + f" {unit}"

    return {
        "findings of the check": "0",
        "pose mismatch, worst": each([MOST_POSE_M * size for size in sizes], "cm"),
        "velocity mismatch, worst share of the speed": f"{MOST_VELOCITY_SHARE}",
        "foot slide of a clip, worst mean": each([MOST_SLIDE_M_S * size**0.5 for size in sizes], "cm/s"),
        "slide on the board, worst mean": f"{100 * MOST_RIDE_SLIDE_M_S:.0f} cm/s",
    }


if __name__ == "__main__":
    main()

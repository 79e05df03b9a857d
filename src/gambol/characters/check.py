"""Check a character before planning with it, and suggest what to do about each problem."""

from __future__ import annotations

import numpy as np

from gambol.characters.character import Character
from gambol.characters.check_clips import check_clips
from gambol.characters.check_graph import check_graph
from gambol.characters.check_joins import Mismatch, join_mismatches
from gambol.characters.finding import Finding
from gambol.motion.contacts import ADULT_LEG_M, leg_length

# The limits are for an adult, for means over the joints without fingers, for the worst pair of clips of a transition.
MOST_POSE_M = 0.12  # m, > 0: poses farther apart at a join are an error; larger accepts rougher joins
MOST_VELOCITY_M_S = 0.4  # m/s, > 0: smaller differences of velocity at a join are not seen
MOST_VELOCITY_SHARE = 0.75  # share of the faster clip's mean speed, > 0: smaller differences are not seen either

PLAUSIBLE_LEG_M = (0.2, 2.5)  # m: shortest and longest leg that is plausible, from a toddler's to a tall horse's


def check_character(character: Character) -> list[Finding]:
    """Return all findings about a character, errors first; a character without errors is fit for use."""
    findings = [*check_size(character), *check_graph(character), *check_joins(character), *check_clips(character)]
    return sorted(findings, key=lambda finding: finding.severity)


def check_size(character: Character) -> list[Finding]:
    """Look for implausible legs: in most cases the motions were read in a wrong unit."""
    leg = leg_length(character.skeleton)
    if PLAUSIBLE_LEG_M[0] <= leg <= PLAUSIBLE_LEG_M[1]:
        return []
    what = f"its legs are {leg:.3g} m long from hip to ankle; an adult's are about {ADULT_LEG_M} m"
    hint = "is `unit` of `reading` right? `gambol inspect` guesses it from the size of the body"
    return [Finding("odd size", "warning", character.name, what, hint)]


def check_joins(character: Character) -> list[Finding]:
    """Look for transitions at which poses or velocities are too far apart, the worst first."""
    size = leg_length(character.skeleton) / ADULT_LEG_M
    mismatches = join_mismatches(character)
    poses = [m for m in mismatches if m.pose_m > pose_limit(size)]
    speeds = [m for m in mismatches if m.velocity_m_s > velocity_limit(m, size)]
    return [
        *(_pose_finding(m, size) for m in sorted(poses, key=lambda m: -m.pose_m)),
        *(_velocity_finding(m, size) for m in sorted(speeds, key=lambda m: -m.velocity_m_s)),
    ]


def pose_limit(size: float) -> float:
    """Return how far apart poses may be at a join, metres; an adult has size 1."""
    return MOST_POSE_M * size


def velocity_limit(mismatch: Mismatch, size: float) -> float:
    """Return how far apart velocities may be at a join, metres a second."""
    return max(MOST_VELOCITY_M_S * float(np.sqrt(size)), MOST_VELOCITY_SHARE * mismatch.speed_m_s)


def _pose_finding(mismatch: Mismatch, size: float) -> Finding:
    what = (
        f"the poses are {100 * mismatch.pose_m:.1f} cm apart where {mismatch.target_clip!r} follows "
        f"{mismatch.source_clip!r}; at most {100 * pose_limit(size):.1f} expected"
    )
    hint = (
        "move the first or last frame of the cut to where the pose is (the same foot's contact), mirror the clip if "
        "it is the other foot's (mirrored = true), or give it a label of its own"
    )
    return Finding("pose mismatch", "error", f"{mismatch.source} -> {mismatch.target}", what, hint)


def _velocity_finding(mismatch: Mismatch, size: float) -> Finding:
    what = (
        f"the velocities are {mismatch.velocity_m_s:.2f} m/s apart; "
        f"at most {velocity_limit(mismatch, size):.2f} expected"
    )
    hint = "play the slower clip faster (speed), cut where both are equally fast, or give it a label of its own"
    return Finding("velocity mismatch", "error", f"{mismatch.source} -> {mismatch.target}", what, hint)

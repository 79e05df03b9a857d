"""From a course, a board, feet and postures to a clip: the pelvis is put where it balances the body.

Where the centre of mass shall be is authored, or follows from the course: over the board, leaning
into turns and against brakes as the forces ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from tools.authoring import mass
from tools.authoring.authored import RATE_HZ, AuthoredClip
from tools.authoring.course import Course
from tools.authoring.figure import FigureTracks, assemble
from tools.authoring.skateboarder import feet as riding_feet
from tools.authoring.skateboarder.board import BoardTrack, board_track, with_board
from tools.authoring.skateboarder.feet import FootTrack
from tools.authoring.skateboarder.posture import Posture, keyed_posture

from gambol.geometry import planar, quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.contacts import Contacts, contact_points
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion

BOARD_MASS = 0.035  # of the rider's and the board's together
BALANCED_M = 1e-9
MOST_ROUNDS = 60
GIVE = 0.8  # how far the centre of mass follows the pelvis, about
TRUNK_LEAN = 0.75  # of the body's lean, from board to centre of mass, that the pelvis tilts with
DECK_TILT = 0.7  # of the body's lean, that the deck tilts with
KNEES_WITH_FEET = 0.8  # how far knees point where the feet do, rather than the pelvis


@dataclass(frozen=True, eq=False)
class Deck:
    """What the board does besides rolling along, and the feet upon it; all tracks (F,), angles in radians."""

    pitch: FloatArray  # nose up, standing on the back wheels
    lift: FloatArray  # metres, of the back wheels
    front_ahead: FloatArray  # metres, of the front foot's ankle from its place
    front_yaw: FloatArray  # from its usual yaw
    front_roll: FloatArray  # to its outer edge
    left: FootTrack | None = None  # where given, the foot leaves the board
    right: FootTrack | None = None


def level_deck(course: Course, *, front_yaw: FloatArray | None = None, right: FootTrack | None = None) -> Deck:
    """Return a board that stays on its four wheels."""
    zeros = np.zeros(len(course.times))
    return Deck(zeros, zeros, zeros, zeros if front_yaw is None else front_yaw, zeros, right=right)


def ride(
    name: str,
    course: Course,
    postures: Sequence[tuple[float, Posture]],
    *,
    labels: tuple[str, str] = ("glide", "glide"),
    deck: Deck | None = None,
    mass_height: FloatArray | None = None,
    lean: float = 1.0,
    event: int | None = None,
) -> AuthoredClip:
    """Author a clip: postures by second; mass_height (F,) takes the place of theirs.

    lean: how far the body leans against what speeds it up or slows it down, where 1 balances.
    """
    deck = level_deck(course) if deck is None else deck
    tracks = keyed_posture(postures, course.times)
    height = tracks["mass_height_m"] if mass_height is None else mass_height
    tilt = np.arctan2(course.push[:, 1], mass.GRAVITY_M_S2)
    board = board_track(course.pose[:, :2], course.pose[:, 2], deck.pitch, DECK_TILT * tilt, deck.lift)
    leaning = np.column_stack((lean * course.push[:, 0], course.push[:, 1])) / mass.GRAVITY_M_S2
    over = np.column_stack((tracks["mass_ahead_m"], tracks["mass_aside_m"])) + leaning * height[:, None]
    target = course.place(np.column_stack((over, height)))
    figure = _figure(course, tracks, deck, board, leaning)
    motion = _balance(figure, tracks["head_yaw"] + course.pose[:, 2], tracks["head_pitch"], board, target)
    return _authored(name, labels, course, deck, motion, event)


def centre_of_mass(motion: Motion) -> FloatArray:
    """Return the centre of mass (F, 3) of rider and board together."""
    board = motion.world_positions[:, motion.skeleton.index("Board")]
    return (1.0 - BOARD_MASS) * mass.centre_of_mass(motion) + BOARD_MASS * board


def _figure(
    course: Course, tracks: dict[str, FloatArray], deck: Deck, board: BoardTrack, leaning: FloatArray
) -> FigureTracks:
    """Return everything but where the pelvis is."""
    heading = course.pose[:, 2]
    ankles, turns, bends = _feet(course, deck, board)
    yaw, pitch, roll = quaternion.to_euler(turns, "ZYX").transpose(2, 0, 1)
    # The body leans as one, about the way it goes and across it; then pelvis and chest turn upon it.
    forward, left = TRUNK_LEAN * np.arctan(leaning).T
    upright = quaternion.from_euler(np.column_stack((heading, forward, -left)), "ZYX")
    held = np.column_stack((tracks["pelvis_yaw"], tracks["pelvis_pitch"], tracks["pelvis_roll"]))
    pelvis = quaternion.to_euler(quaternion.multiply(upright, quaternion.from_euler(held, "ZYX")), "ZYX")
    pelvis_yaw = heading + tracks["pelvis_yaw"]
    return FigureTracks(
        pelvis=course.place((0.0, 0.0, 1.0)),
        pelvis_yaw=pelvis[:, 0],
        pelvis_pitch=pelvis[:, 1],
        pelvis_roll=pelvis[:, 2],
        ankles=ankles,
        foot_yaw=yaw,
        foot_pitch=-pitch,
        foot_roll=roll,
        toe_bend=bends,
        knee_yaw=KNEES_WITH_FEET * planar.wrap_angle(yaw - pelvis_yaw[:, None]),
        spine_flexion=tracks["flexion"],
        spine_yaw=tracks["chest_yaw"] - tracks["pelvis_yaw"],
        spine_roll=tracks["side_bend"],
        upper_arm=tracks["arm_swing"],
        upper_arm_out=tracks["arm_out"],
        upper_arm_turn=tracks["arm_turn"],
        elbow=tracks["elbow"],
    )


def _feet(course: Course, deck: Deck, board: BoardTrack) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return ankles (F, 2, 3), the feet's orientations (F, 2, 4) and how the toes bend (F, 2), in the world."""
    count = len(course.times)
    ahead = np.zeros((count, 3))
    ahead[:, 0] = deck.front_ahead
    places = (riding_feet.FRONT_ANKLE + ahead, np.tile(riding_feet.BACK_ANKLE, (count, 1)))
    yaws = (riding_feet.FRONT_YAW + deck.front_yaw, np.full(count, riding_feet.BACK_YAW))
    rolls = (deck.front_roll, np.zeros(count))
    ankles, turns, bends = [], [], []
    for place, yaw, roll, off in zip(places, yaws, rolls, (deck.left, deck.right), strict=True):
        ankle = board.on_deck(place)
        on_board = quaternion.from_euler(np.column_stack((yaw, np.zeros(count), roll)), "ZYX")
        turn = quaternion.multiply(board.rotation, on_board)
        if off is not None:
            angles = np.column_stack((course.pose[:, 2] + off.yaw, -off.pitch, np.zeros(count)))
            ankle = np.where(off.riding[:, None], ankle, course.place(off.ankle))
            turn = np.where(off.riding[:, None], turn, quaternion.from_euler(angles, "ZYX"))
        ankles.append(ankle)
        turns.append(turn)
        bends.append(np.zeros(count) if off is None else off.toe_bend)
    return np.stack(ankles, axis=1), np.stack(turns, axis=1), np.stack(bends, axis=1)


def _balance(
    figure: FigureTracks, head_yaw: FloatArray, head_pitch: FloatArray, board: BoardTrack, target: FloatArray
) -> Motion:
    """Shift the pelvis until the centre of mass is where it shall be."""
    level = np.column_stack((head_yaw, head_pitch, np.zeros(len(head_yaw))))
    gaze = quaternion.from_euler(level, "ZYX")
    for _ in range(MOST_ROUNDS):
        motion = with_board(_look(assemble(figure, RATE_HZ), gaze), board)
        missing = target - centre_of_mass(motion)
        if np.abs(missing).max() < BALANCED_M:
            return motion
        figure.pelvis = figure.pelvis + missing / GIVE
    raise AssertionError("a rider cannot be balanced: the legs do not reach")


def _look(motion: Motion, gaze: FloatArray) -> Motion:
    """Turn neck and head, half each, so that the head has an orientation in the world (F, 4)."""
    skeleton = motion.skeleton
    chest = motion.world_rotations[:, skeleton.index("Spine2")]
    half = quaternion.slerp(quaternion.IDENTITY, quaternion.multiply(quaternion.conjugate(chest), gaze), 0.5)
    rotations = np.array(motion.rotations)
    rotations[:, skeleton.index("Neck")] = half
    rotations[:, skeleton.index("Head")] = half
    return motion.with_rotations(rotations)


def _authored(
    name: str, labels: tuple[str, str], course: Course, deck: Deck, motion: Motion, event: int | None
) -> AuthoredClip:
    """Put the root at the origin of the ground plane at the clip's first frame."""
    margin = course.margin
    positions = np.array(motion.root_positions)
    positions[:, :2] -= positions[margin, :2]
    motion = Motion(motion.skeleton, motion.rate_hz, positions, motion.rotations, motion.translations)
    points = contact_points(motion.skeleton)
    planted = np.zeros((motion.frame_count, len(points)), dtype=bool)
    for column, foot in ((0, deck.left), (2, deck.right)):
        if foot is not None:
            planted[:, column : column + 2] = foot.planted
    path = np.column_stack((positions[:, :2], course.pose[:, 2]))
    contacts = Contacts(points, planted, Ground(0.0))
    return AuthoredClip(name, *labels, motion, path, contacts, event=event, margin=margin)

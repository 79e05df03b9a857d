"""The board: a prop that hangs on the rider's hips.

A skateboard belongs to no limb: feet slide on it, step off it and jump with it.  So its joint is a
child of the root that is placed by translations, frame by frame, wherever the ride has it; what
holds rider and board together is that the ride is authored on the board, feet first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from tools.authoring.human_skeleton import human_skeleton

from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

DECK, TRUCKS = "Board", ("FrontTruck", "BackTruck")  # joints, as the figure file of a skateboard has them
AXLE_AHEAD_M, AXLE_BELOW_M = 0.19, 0.063  # of the middle of the deck's top
WHEEL_HALF_TRACK_M, WHEEL_RADIUS_M = 0.066, 0.027
DECK_END_M, KICK_RISE_M = 0.40 - 0.016, 0.045  # where nose and tail end, and how far they bend up
DECK_HEIGHT_M = AXLE_BELOW_M + WHEEL_RADIUS_M  # of the deck's top when all wheels are on the ground
#: How far the tail may tip down, turning about the back wheels, until it touches the ground.
POP_RAD = 0.494
STEER_PER_TILT = 0.8  # how far trucks turn in for the deck's tilt
#: Where the board lies at rest, clear of the rider's feet.
REST_AHEAD_M = 0.75


@cache
def rider_skeleton() -> Skeleton:
    """Return the built-in human's skeleton with a board: the deck, and two trucks that steer below it."""
    human = human_skeleton()
    deck = human.joint_count
    hips = human.offsets[0]
    wheels = [(0.0, way * WHEEL_HALF_TRACK_M, -WHEEL_RADIUS_M) for way in (1.0, -1.0)]
    return Skeleton(
        (*human.names, DECK, *TRUCKS),
        [*human.parents, 0, deck, deck],
        np.vstack((
            human.offsets,
            np.array([REST_AHEAD_M, 0.0, DECK_HEIGHT_M]) - hips,
            [(way * AXLE_AHEAD_M, 0.0, -AXLE_BELOW_M) for way in (1.0, -1.0)],
        )),
        [*human.tip_parents, deck, deck, deck + 1, deck + 1, deck + 2, deck + 2],
        np.vstack((human.tip_offsets, [(way * DECK_END_M, 0.0, KICK_RISE_M) for way in (1.0, -1.0)], wheels, wheels)),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class BoardTrack:
    """Where the board is, frame by frame, in the world."""

    position: FloatArray  # (F, 3) metres, the middle of the deck's top
    yaw: FloatArray  # (F,) radians
    pitch: FloatArray  # (F,) nose up
    tilt: FloatArray  # (F,) of the deck, to the left

    @property
    def rotation(self) -> FloatArray:
        """Orientation of the deck (F, 4)."""
        return quaternion.from_euler(np.column_stack((self.yaw, -self.pitch, -self.tilt)), "ZYX")

    @property
    def trucks(self) -> FloatArray:
        """Rotations (F, 2, 4) of front and back truck on the deck: level on the ground, turned into the curve."""
        steer = STEER_PER_TILT * self.tilt
        angles = np.zeros((len(steer), 2, 3))
        angles[:, :, 0] = self.tilt[:, None]
        angles[:, :, 1] = np.column_stack((steer, -steer))
        return quaternion.from_euler(angles, "XZY")

    def on_deck(self, points: FloatArray) -> FloatArray:
        """Return where points (F, 3) or (3,) given on the deck are in the world."""
        return self.position + quaternion.rotate(self.rotation, points)


def board_track(
    ground: FloatArray, yaw: FloatArray, pitch: FloatArray, tilt: FloatArray, lift: FloatArray
) -> BoardTrack:
    """Place a board above a way over the ground (F, 2).

    While it is pitched up it stands on its back wheels; lift (F,) is how high these are.
    """
    axle = np.array([-AXLE_AHEAD_M, -AXLE_BELOW_M])
    cosine, sine = np.cos(pitch), np.sin(pitch)
    # From the back axle, in the middle between the wheels, to the middle of the deck.
    along = -axle[0] * cosine + axle[1] * sine
    up = -axle[0] * sine - axle[1] * cosine
    middle = ground + (along - AXLE_AHEAD_M)[:, None] * np.column_stack((np.cos(yaw), np.sin(yaw)))
    return BoardTrack(np.column_stack((middle, lift + WHEEL_RADIUS_M + up)), yaw, pitch, tilt)


def with_board(rider: Motion, board: BoardTrack) -> Motion:
    """Return the rider's motion with the board below."""
    skeleton = rider_skeleton()
    back = quaternion.conjugate(rider.world_rotations[:, 0])
    on_hips = quaternion.multiply(back, board.rotation)
    rotations = np.concatenate((rider.rotations, on_hips[:, None], board.trucks), axis=1)
    translations = np.tile(skeleton.offsets, (rider.frame_count, 1, 1))
    translations[:, skeleton.index(DECK)] = quaternion.rotate(back, board.position - rider.root_positions)
    return Motion(skeleton, rider.rate_hz, rider.root_positions, rotations, translations)

"""From a planar climb to a motion of the full skeleton in the sagittal plane.

The plane is the world's x and z; y is across, to the left of a figure that faces +x.  All joints are found in the
*body's space* first: x ahead of the pelvis, y to the left, z the world's height.  Only the root knows the way it faces.
"""

from __future__ import annotations

import numpy as np

from gambol.body.capsules import Body
from gambol.climb.body import feet, hands, turning
from gambol.climb.body.curves import rounded
from gambol.climb.body.head import head_balls, head_out_of_the_way
from gambol.climb.body.holding import Holding, holdings
from gambol.climb.body.kernels.repair import RepairedLimb
from gambol.climb.body.lanes import lane, within_reach
from gambol.climb.body.limbs import across, bend_limb, frames_between, turned_about, unit
from gambol.climb.body.planar import PlanarPoses, planar_poses, turns
from gambol.climb.body.repair import PINNED, Ties, give_way, limb_balls
from gambol.climb.body.skeleton import SIDES, figure_skeleton
from gambol.climb.body.trunk import Trunk, leaned_to_palms, reach_out, trunk_poses, walking_share, within_legs
from gambol.climb.climb import ClimbMotion
from gambol.climb.environment_table import FLOOR, WALL, distance_field
from gambol.climb.kernels.field import DistanceField
from gambol.climb.modes import Mode
from gambol.climb.problem import ClimbProblem
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion

#: Lanes of an adult's hands: on floors, on walls, elsewhere (bars, ceilings), and loose beside the thighs.
FLOOR_LANE_M, WALL_LANE_M, BAR_LANE_M, LOOSE_LANE_M = 0.17, 0.17, 0.15, 0.235
FOOT_LANE_M = 0.088
TURNED_OUT, TURNED_OUT_ON_WALL = 0.10, 0.28  # of feet
ELBOWS_OUT = 0.30
HELD_PITCH = 4.0  # how much firmer a hand or foot is that holds something
HEAD_ROOM = 1.05  # around a head that leans farther than the planar one
KNEES_OUT = {Mode.WALK: 0.05, Mode.CLIMB: 0.22, Mode.SWING: 0.08, Mode.CRAWL: 0.08}
LEG_REST = (np.array([0.0, 0.0, -1.0]), np.array([0.0, 1.0, 0.0]))


def full_motion(problem: ClimbProblem, motion: ClimbMotion) -> Motion:
    """Return a motion of `figure_skeleton(problem.figure)` at the same rate, frame for frame.

    Palms and ankles of limbs that hold something are in the plane where the planar ones are.  Turning round, feet
    step in place, beside the point on which both stand.
    """
    return _Builder(problem, motion).build()


class _Builder:
    """One motion in the making."""

    def __init__(self, problem: ClimbProblem, motion: ClimbMotion) -> None:
        path = motion.path
        self.size, self.rate_hz = problem.figure.scale, motion.rate_hz
        self.modes = path.modes
        self.table = problem.figure.table
        self.poses: PlanarPoses = planar_poses(problem.figure.table, path)
        self.holds: tuple[Holding, Holding, Holding, Holding] = holdings(problem, path.facings, path.grasps)
        self.field: DistanceField = distance_field(problem.environment)
        self.skeleton = figure_skeleton(problem.figure)
        self.body = Body.from_skeleton(self.skeleton)
        self.rotations: dict[str, FloatArray] = {}  # in the body's space

    def build(self) -> Motion:
        walking = walking_share(self.modes, self.holds[:2], self.poses.facing, self.rate_hz)
        head = (self.table.torso, self.table.head, HEAD_ROOM * float(self.table.radius[1]))
        arm = hands.arm_lengths(self.body)
        self.poses = leaned_to_palms(self.poses, self.holds[:2], arm, head, self.field, self.rate_hz)
        self.poses = head_out_of_the_way(self.field, head_balls(self.body), self.poses, self.table.torso, self.rate_hz)
        feet_held, leg = self.holds[2:], feet.leg_lengths(self.body)

        def place(share: FloatArray) -> Trunk:
            return trunk_poses(self.skeleton, self.poses, feet_held, share, self.rate_hz, self.size)

        walking = within_legs(
            walking, place, (self._ankle(0), self._ankle(1)), feet_held, leg.upper + leg.lower, self.rate_hz
        )
        trunk = place(walking)
        self.rotations.update(trunk.rotations)
        for side in range(2):
            self._arm(side, trunk)
            self._leg(side, trunk)
        return self._motion(trunk)

    def _motion(self, trunk: Trunk) -> Motion:
        skeleton, poses = self.skeleton, self.poses
        frames = len(poses.yaw)
        turn = quaternion.from_heading(poses.yaw)
        local = quaternion.identity(frames, skeleton.joint_count)
        for joint, name in enumerate(skeleton.names):
            own = self.rotations.get(name)
            if own is None:
                own = self.rotations[name] = self.rotations[skeleton.names[skeleton.parents[joint]]]
            if joint == 0:
                local[:, 0] = quaternion.multiply(turn, own)
            else:
                above = self.rotations[skeleton.names[skeleton.parents[joint]]]
                local[:, joint] = quaternion.multiply(quaternion.conjugate(above), own)
        roots = quaternion.rotate(turn, trunk.root)
        roots[:, 0] += poses.pelvis[:, 0]
        return Motion(skeleton, self.rate_hz, roots, local)

    def _eased(self, values: FloatArray, ease_s: float) -> FloatArray:
        return rounded(values, np.ones(len(values)), frames=ease_s * self.rate_hz)

    def _ankle(self, side: int) -> FloatArray:
        """Return where the planar figure has an ankle (F, 3)."""
        ahead, up = self.poses.ankles[side].T
        return np.stack((ahead, np.full(len(up), SIDES[side][1] * FOOT_LANE_M * self.size), up), axis=-1)

    def _leg(self, side: int, trunk: Trunk) -> None:
        name, left = SIDES[side]
        poses, holding = self.poses, self.holds[2 + side]
        leg = feet.leg_lengths(self.body)
        out = np.where(holding.surface == WALL, TURNED_OUT_ON_WALL, TURNED_OUT)
        turned_out = left * lane(holding, out, np.full(len(out), TURNED_OUT), rate_hz=self.rate_hz)
        ankle, turned_out = self._steps_in_turns(side, self._ankle(side), turned_out)
        world_x = poses.pelvis[:, 0] + poses.facing * ankle[:, 0]
        pitched = feet.foot_poses(
            self.field, feet.foot_balls(self.body), holding, (world_x, ankle[:, 2].copy()), poses.facing,
            poses.shank[side], ankle[:, [0, 2]] - (0.0, 1.0) * poses.pelvis, leg, self.modes, self.rate_hz,
        )  # fmt: skip
        ankle[:, [0, 2]] += pitched.aside
        way = ankle - trunk.hips[side]
        knee = np.stack((-way[:, 2], np.zeros(len(way)), way[:, 0]), axis=-1)  # a quarter turn on: forward
        knee /= np.linalg.norm(knee, axis=-1, keepdims=True)
        aside = self._eased(np.array([KNEES_OUT[mode] for mode in Mode])[self.modes], 0.15) + 0.5 * left * turned_out
        knee = np.cos(aside)[:, None] * knee + (left * np.sin(aside))[:, None] * np.array([0.0, 1.0, 0.0])
        # Turned out about the sole's own normal, then pitched with it.
        pitch = quaternion.from_axis_angle(np.array([0.0, 1.0, 0.0]), -pitched.pitch)
        roll = quaternion.multiply(
            quaternion.from_heading(left * pitched.over),
            quaternion.from_axis_angle(np.array([1.0, 0.0, 0.0]), left * pitched.over),
        )
        foot = quaternion.multiply(pitch, quaternion.multiply(quaternion.from_heading(turned_out), roll))
        joints = tuple(name + part for part in ("UpLeg", "Leg", "Foot", "ToeBase"))
        limb = self._limb(joints, trunk.hips[side], ankle, knee, foot, np.zeros(3), pitched.toes)
        turning_round = np.abs(poses.facing) < 1.0
        stands = (pitched.is_flat & holding.is_held) | turning_round
        ties = Ties(
            np.where(holding.is_held | turning_round, PINNED, 1.0),
            np.where(stands, PINNED, np.where(holding.is_held, HELD_PITCH, 1.0)),
            np.where(stands, PINNED, 1.0),
        )
        changes = give_way(self.field, limb, ties, self.rate_hz)
        ankle[:, [0, 2]] += changes.aside
        knee = _swivelled(knee, ankle - trunk.hips[side], changes.swivel)
        pose = bend_limb(trunk.hips[side], ankle, (leg.upper, leg.lower), knee, LEG_REST)
        self.rotations[joints[0]], self.rotations[joints[1]] = pose.upper, pose.lower
        foot = quaternion.multiply(quaternion.from_axis_angle(np.array([0.0, 1.0, 0.0]), changes.pitch), foot)
        self.rotations[joints[2]] = foot
        toes = quaternion.from_axis_angle(np.array([0.0, 1.0, 0.0]), -pitched.toes - changes.toes)
        self.rotations[joints[3]] = quaternion.multiply(foot, toes)

    def _limb(
        self,
        joints: tuple[str, ...],
        root: FloatArray,
        pivot: FloatArray,
        pole: FloatArray,
        end: FloatArray,
        to_pivot: FloatArray,
        toes: FloatArray,
    ) -> RepairedLimb:
        """Return an arm or a leg as what may still give way."""
        lengths = self.skeleton.bone_lengths
        upper, lower = (float(lengths[self.skeleton.index(name)]) for name in joints[1:3])
        hinge = self.skeleton.offsets[self.skeleton.index(joints[3])] if len(joints) > 3 else np.zeros(3)
        yaw = self.poses.yaw
        return RepairedLimb(
            np.ascontiguousarray(self.poses.pelvis[:, 0]), np.cos(yaw), np.sin(yaw), root, pivot.copy(), pole,
            quaternion.to_matrix(end), toes, upper, lower, to_pivot, np.array(hinge),
            len(joints) < 4, *limb_balls(self.body, joints),
        )  # fmt: skip

    def _steps_in_turns(self, side: int, ankle: FloatArray, turned_out: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Put a foot beside the point it stands on in turns round, stepping with it."""
        ankle, turned_out = ankle.copy(), turned_out.copy()
        yaw, left = self.poses.yaw, SIDES[side][1]
        for before, after in turns(self.poses.facing):
            if self.holds[2 + side].surface[before] != FLOOR or abs(yaw[after] - yaw[before]) < 1.0:
                continue
            part = slice(before, after + 1)
            gone = yaw[part] - yaw[before]
            turn, lift = turning.stepping(side, gone / (yaw[after] - yaw[before]))
            behind = turn - gone  # of the foot from the body
            lane_m = abs(ankle[before, 1])
            ankle[part, 0] += -left * lane_m * np.sin(behind)
            ankle[part, 1] = left * lane_m * np.cos(behind)
            ankle[part, 2] += self.size * lift
            turned_out[part] += behind
        return ankle, turned_out

    def _arm(self, side: int, trunk: Trunk) -> None:
        name, left = SIDES[side]
        poses, holding = self.poses, self.holds[side]
        arm = hands.arm_lengths(self.body)
        shoulder = trunk.shoulders[side]
        palm = np.stack((poses.hands[side, :, 0], self._hand_lane(side, shoulder), poses.hands[side, :, 1]), axis=-1)
        shoulder, turn = reach_out(trunk.collars[side], shoulder, palm, arm, holding, self.rate_hz)
        self.rotations[f"{name}Shoulder"] = quaternion.multiply(turn, trunk.rotations["Spine2"])
        task = hands.HandTask(
            holding,
            left,
            poses.pelvis[:, 0],
            poses.facing,
            shoulder,
            palm,
            poses.forearm[side],
            self.modes,
            self.rate_hz,
        )
        hand = hands.hand_poses(self.field, hands.hand_balls(self.body), arm, task)
        way = hand.wrist - shoulder
        elbow = np.stack((way[:, 2], np.zeros(len(way)), -way[:, 0]), axis=-1)  # a quarter turn back
        elbow /= np.maximum(np.linalg.norm(elbow, axis=-1, keepdims=True), 1e-9)
        elbow = np.cos(ELBOWS_OUT) * elbow + left * np.sin(ELBOWS_OUT) * np.array([0.0, 1.0, 0.0])
        rest = (np.array([0.0, left, 0.0]), np.array([0.0, 0.0, -left]))
        palm_frame = frames_between(hand.along, hand.back, rest[0], np.array([0.0, 0.0, 1.0]))
        joints = tuple(name + part for part in ("Arm", "ForeArm", "Hand"))
        wrist_to_palm = np.array([0.0, left * arm.palm, 0.0])
        palm = hand.wrist + arm.palm * hand.along
        limb = self._limb(joints, shoulder, palm, elbow, palm_frame, wrist_to_palm, np.zeros(len(palm)))
        ties = Ties(
            np.where(holding.is_held, PINNED, 1.0),
            np.where(holding.is_held, HELD_PITCH, 1.0),
            np.where(holding.is_held, HELD_PITCH, 1.0),
        )
        changes = give_way(self.field, limb, ties, self.rate_hz)
        palm[:, [0, 2]] += changes.aside
        pitch = quaternion.from_axis_angle(np.array([0.0, 1.0, 0.0]), changes.pitch)
        flexed = quaternion.from_axis_angle(np.array([1.0, 0.0, 0.0]), changes.toes)
        palm_frame = quaternion.multiply(quaternion.multiply(pitch, palm_frame), flexed)
        along = quaternion.rotate(palm_frame, rest[0])
        reaching = hands.reachable(along, palm - shoulder, arm, straightest=1.0)
        reaching = np.where(holding.is_held[:, None], reaching, along)
        palm_frame = quaternion.multiply(quaternion.between(along, reaching), palm_frame)
        wrist = palm - quaternion.rotate(palm_frame, wrist_to_palm)
        elbow = _swivelled(elbow, wrist - shoulder, changes.swivel)
        pose = bend_limb(shoulder, wrist, (arm.upper, arm.lower), elbow, rest)
        self.rotations[joints[0]] = pose.upper
        self.rotations[joints[2]] = palm_frame
        self.rotations[joints[1]] = self._twisted(pose.lower, palm_frame, rest[0])

    def _twisted(self, forearm: FloatArray, hand: FloatArray, along: FloatArray) -> FloatArray:
        """Return the orientation of a forearm that takes on half of the twist of the hand about it."""
        relative = quaternion.multiply(quaternion.conjugate(forearm), hand)
        twist = 2.0 * np.arctan2(relative[..., 1:] @ along, relative[..., 0])
        # Half of a quarter turn; towards half a turn less and less, as the other way round is as near then.
        return quaternion.multiply(forearm, quaternion.from_axis_angle(along, 0.25 * np.pi * np.sin(twist)))

    def _hand_lane(self, side: int, shoulder: FloatArray) -> FloatArray:
        """Return where a hand is across (F,)."""
        poses, holding, left = self.poses, self.holds[side], SIDES[side][1]
        surface = holding.surface
        held = np.where(surface == FLOOR, FLOOR_LANE_M, np.where(surface == WALL, WALL_LANE_M, BAR_LANE_M)) * self.size
        own = abs(float(np.median(shoulder[:, 1])))
        arm = hands.arm_lengths(self.body)
        length = (1.0 - 2e-5) * (arm.upper + arm.lower + arm.palm)
        apart = np.linalg.norm(poses.hands[side] - poses.shoulder, axis=-1)
        room = 0.95 * np.sqrt(np.maximum(0.0, length**2 - apart**2))
        held = within_reach(holding, held, own, room)
        low = np.clip((poses.shoulder - poses.hands[side])[:, 1] / (0.4 * self.size), 0.0, 1.0)
        free = own + low * (LOOSE_LANE_M * self.size - own)
        return left * lane(holding, held, np.clip(free, own - room, own + room), rate_hz=self.rate_hz)


def _swivelled(pole: FloatArray, way: FloatArray, angle: FloatArray) -> FloatArray:
    """Return poles (F, 3) turned about the line to a limb's end."""
    line = unit(way)
    return turned_about(across(pole, line), line, angle)

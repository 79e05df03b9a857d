"""Motions as numbers: there and back without loss, alike for all directions, and nothing learned that is noise."""

from dataclasses import replace

import numpy as np
import pytest
from tests.support.variation_cases import captured

from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.motion import Contacts, Ground, Motion, Skeleton, edits
from gambol.variation.encoding import ROOT_COUNT, encoding_of, mean_rotation
from gambol.variation.examples import Example, gather

SKELETON = Skeleton(
    ("Hips", "Spine", "LeftArm", "LeftFingerBase"), (-1, 0, 1, 2),
    np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.4], [0.0, 0.2, 0.2], [0.0, 0.3, 0.0]]), (), np.zeros((0, 3)),
)  # fmt: skip


def waving(seed: int, *, frames: int = 80) -> Motion:
    """A figure that goes along a curve and turns its joints smoothly; its finger shakes."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, 1.0, frames)
    turn = np.cumsum(rng.normal(0.0, 0.2) + 0.5 * np.sin(5 * t)) / frames * 3
    way = np.cumsum(np.column_stack((np.cos(turn), np.sin(turn))) / 40.0, axis=0)
    vectors = np.zeros((frames, 4, 3))
    for joint in (0, 1, 2):
        vectors[:, joint] = rng.normal(0, 0.4, 3) + np.sin(6 * t[:, None] + rng.uniform(0, 6, 3)) * rng.uniform(
            0.1, 0.3, 3
        )
    vectors[:, 3] = rng.normal(0.0, 0.3, (frames, 3))
    rotations = quaternion.exp(vectors)
    rotations[:, 0] = quaternion.multiply(quaternion.from_heading(turn), rotations[:, 0])
    return Motion(SKELETON, 60.0, np.column_stack((way, 0.9 + 0.05 * np.sin(9 * t))), rotations)


@pytest.mark.parametrize("root", ["travelling", "absolute"])
def test_there_and_back_is_the_same_motion_but_for_what_is_dropped(root):
    motions = [waving(seed) for seed in range(3)]
    encoding = encoding_of(motions, root=root)
    for motion in motions:
        back = encoding.decode(encoding.encode(motion), start=edits.planar_pose(motion, 0))
        np.testing.assert_allclose(back.root_positions, motion.root_positions, atol=1e-9)
        assert quaternion.angle(back.rotations[:, :3], motion.rotations[:, :3]).max() < 1e-6


def test_where_it_goes_and_faces_does_not_matter_for_a_root_that_travels():
    motion = waving(0)
    encoding = encoding_of([motion], root="travelling")
    moved = edits.move(motion, np.array([3.0, -2.0, 2.5]))
    np.testing.assert_allclose(encoding.encode(moved), encoding.encode(motion), atol=1e-9)


def test_fingers_and_what_is_still_are_dropped_and_said():
    still = np.array(waving(0).rotations)
    still[:, 1] = still[0, 1]
    encoding = encoding_of([Motion(SKELETON, 60.0, waving(0).root_positions, still)], root="travelling")
    reasons = {entry.name: entry.reason for entry in encoding.dropped}
    assert reasons == {
        f"{joint} {axis}": why for joint, why in (("Spine", "still"), ("LeftFingerBase", "finger")) for axis in "xyz"
    }
    assert encoding.count == ROOT_COUNT + 3
    assert encoding.names[-3:] == ("LeftArm x", "LeftArm y", "LeftArm z")


def test_numbers_are_continuous_where_a_joint_turns_past_half_a_turn():
    t = np.linspace(-1.0, 1.0, 80)
    rotations = np.array(waving(0).rotations)
    rotations[:, 2] = quaternion.exp(np.column_stack((3.8 * t**3, 0.3 * t, np.zeros(80))))
    motion = Motion(SKELETON, 60.0, waving(0).root_positions, rotations)
    encoding = encoding_of([motion], root="travelling")
    values = encoding.encode(motion)
    assert np.abs(values[:, ROOT_COUNT:]).max() > np.pi
    assert np.abs(np.diff(values[:, ROOT_COUNT:], axis=0)).max() < 0.5
    back = encoding.decode(values, start=edits.planar_pose(motion, 0))
    assert quaternion.angle(back.rotations[:, :3], motion.rotations[:, :3]).max() < 1e-6


def test_the_mean_rotation_is_nearest_to_all():
    rng = np.random.default_rng(3)
    rotations = quaternion.exp(rng.normal(0.0, 0.5, (40, 3)))
    mean = mean_rotation(rotations)

    def chordal(q):
        return np.sum(np.sin(quaternion.angle(q, rotations) / 2) ** 2)

    assert all(
        chordal(quaternion.multiply(mean, quaternion.exp(rng.normal(0, 0.05, 3)))) >= chordal(mean) for _ in range(200)
    )


def test_other_bones_and_other_rates_are_refused():
    encoding = encoding_of([waving(0)], root="travelling")
    with pytest.raises(InvalidInput, match="60 Hz"):
        encoding.encode(edits.resample(waving(0), 30.0))
    with pytest.raises(InvalidInput, match=r"\(F, "):
        encoding.decode(np.zeros((4, 3)))
    still = Contacts((), np.zeros((80, 0), dtype=bool), Ground(0.0))
    one, skeleton = Example(waving(0), still, "one"), SKELETON
    parents, offsets = skeleton.parents.copy(), skeleton.offsets.copy()
    parents[-1], offsets[-1] = 0, offsets[-1] + 0.01
    for other in (replace(skeleton, parents=parents), replace(skeleton, offsets=offsets)):
        with pytest.raises(InvalidInput, match="two has other bones than one"):
            gather([one, one._replace(motion=replace(one.motion, skeleton=other), name="two")])


@pytest.mark.parametrize(
    ("kind", "root"),
    [("walk", "travelling"), ("jump", "travelling"), ("breast stroke", "absolute"), ("jumping jack", "absolute")],
)
def test_captures_have_some_sixty_degrees_of_freedom(kind, root, mocap):
    items = captured(mocap, kind)
    examples = gather(items[:4], cyclic=True)
    assert examples.encoding.root == root
    assert 50 <= examples.encoding.count <= 66
    for item, values in zip(examples.items, examples.values, strict=True):
        back = examples.encoding.decode(values, start=edits.planar_pose(item.motion, 0))
        distance = np.linalg.norm(back.world_positions - item.motion.world_positions, axis=-1)
        assert (
            np.delete(
                distance, [j for j, n in enumerate(back.skeleton.names) if "Thumb" in n or "Index" in n], axis=1
            ).max()
            < 0.02
        )


def test_those_who_stay_in_place_are_laid_over_each_other():
    motion = waving(1)
    items = [
        Example(edits.move(motion, np.array(pose)), Contacts((), np.zeros((80, 0), bool), Ground(0.0)), "waving")
        for pose in ((0.0, 0.0, 0.0), (4.0, -1.0, 2.0))
    ]
    examples = gather(items, root="absolute")
    np.testing.assert_allclose(examples.values[0], examples.values[1], atol=1e-9)

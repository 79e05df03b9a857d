"""Measure realized sequences with plain numpy, sharing no code with what made them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gambol.animate import Blends, play, realized_contacts
from gambol.body import Body
from gambol.characters import Character, Clip, Step, clip_of, place_steps
from gambol.characters.blend import blend_join
from gambol.motion import Contacts, Motion, legs, runs, slide_speeds, sole_points

FloatArray = NDArray[np.float64]
GRAVITY_M_S2 = 9.81
ALONG = np.linspace(0.0, 1.0, 5)  # where capsules are looked at along their length


def random_sequence(character: Character, seed: int, length: int = 6) -> list[str]:
    """Draw a legal sequence: any behavior first, then any that may follow."""
    rng = np.random.default_rng(seed)
    names = [character.behaviors[int(rng.integers(len(character.behaviors)))].name]
    while len(names) < length and (following := character.successors(names[-1])):
        names.append(following[int(rng.integers(len(following)))])
    return names


@dataclass(frozen=True, eq=False)
class Performance:
    """A character's realized sequence, and what is asked of it."""

    character: Character
    names: list[str]
    seed: int

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        return place_steps(self.character, self.names, seed=self.seed)

    @cached_property
    def clips(self) -> list[Clip]:
        return [clip_of(self.character, step) for step in self.steps]

    @cached_property
    def motion(self) -> Motion:
        return play(self.character, self.steps)

    @cached_property
    def contacts(self) -> Contacts:
        return realized_contacts(self.character, self.steps)

    @cached_property
    def joins(self) -> list[int]:
        """Frames of the motion at which one clip ends and the next begins."""
        lengths = [clip.duration * clip.frames_per_step for clip in self.clips]
        return np.cumsum(lengths)[:-1].tolist()

    def near_joins(self) -> NDArray[np.bool_]:
        """Mark the frames inside blend windows, the largest they can be (F,)."""
        near = np.zeros(self.motion.frame_count, dtype=bool)
        for join, clip in zip(self.joins, self.clips, strict=False):
            near[max(0, join - clip.margin) : join + clip.margin + 1] = True
        return near

    def slides_cm_s(self) -> FloatArray:
        """Return the slide of planted feet at every planted frame."""
        slides = 100.0 * slide_speeds(self.motion, self.contacts)
        return slides[np.isfinite(slides)]

    def plain_slides_cm_s(self) -> FloatArray:
        """Return the slides of the same sequence with clips blended, but no feet cleaned at the joins."""
        clips = list({id(clip): clip for clip in self.clips}.values())
        numbers = [next(n for n, clip in enumerate(clips) if clip is played) for played in self.clips]
        plain = without_clean_up(Blends.between(clips, np.column_stack((numbers[:-1], numbers[1:]))))
        motion = play(self.character, self.steps, blends=plain)
        slides = 100.0 * slide_speeds(motion, realized_contacts(self.character, self.steps, blends=plain))
        return slides[np.isfinite(slides)]

    def sink_cm(self) -> float:
        """Return how deep the lowest point of a foot gets below the ground."""
        lowest = 0.0
        for leg in legs(self.motion.skeleton):
            for point in sole_points(self.motion.skeleton, leg):
                rotations = self.motion.world_rotations[:, point.joint]
                heights = self.motion.world_positions[:, point.joint, 2] + _turned_height(rotations, point.offset)
                lowest = min(lowest, float(heights.min()))
        return -100.0 * lowest

    def path_error_cm(self) -> float:
        """Return how far the planar root leaves the clips' paths, placed one after another."""
        worst, frame, pose = 0.0, 0, np.zeros(3)
        for clip in self.clips:
            for k, (x, y, _) in enumerate(clip.path):
                cosine, sine = np.cos(pose[2]), np.sin(pose[2])
                at = pose[:2] + [cosine * x - sine * y, sine * x + cosine * y]
                root = self.motion.root_positions[frame + k * clip.frames_per_step, :2]
                worst = max(worst, float(np.linalg.norm(root - at)))
            cosine, sine = np.cos(pose[2]), np.sin(pose[2])
            x, y, turn = clip.path[-1]
            pose = pose + [cosine * x - sine * y, sine * x + cosine * y, turn]
            frame += clip.duration * clip.frames_per_step
        return 100.0 * worst

    def largest_jump_at_joins(self) -> float:
        """Return the largest change of any joint's velocity from one frame to the next around the joins, m/s."""
        jumps = velocity_jumps(self.motion)
        inside = self.near_joins()[1:-1]
        return float(jumps[inside].max()) if inside.any() else 0.0

    def shape_excess_cm(self, body: Body) -> float:
        """Return how far any capsule leaves the swept shape of the clip that is being played."""
        starts, ends = body.place(self.motion)
        worst, frame = -np.inf, 0
        for step, clip in zip(self.steps, self.clips, strict=True):
            count = clip.duration * clip.frames_per_step
            frames = np.arange(frame, frame + count + 1)
            points = starts[frames][:, :, None] + ALONG[:, None] * (ends - starts)[frames][:, :, None]
            worst = max(worst, _excess(clip, np.array(step.pose), points, body.radius))
            frame += count
        return 100.0 * worst

    def falls(self, centres: FloatArray) -> list[float]:
        """Return the mean vertical acceleration in each flight outside of blend windows; centres of mass are (F, 3)."""
        flying = ~self.contacts.planted.any(axis=1) & ~self.near_joins()
        found = []
        for first, last in runs(flying):
            heights = centres[first : last + 1, 2]
            if len(heights) >= 5:
                found.append(float(np.diff(heights, n=2).mean() * self.motion.rate_hz**2))
        return found


def without_clean_up(made: Blends) -> Blends:
    """Return the same blends, but with no feet cleaned."""
    joins = made.joins._replace(**{name: np.array(getattr(made.joins, name)) for name in made.joins._fields[2:]})
    for number, (a, b) in enumerate(made.pairs):
        blend = blend_join(made.clips[a], made.clips[b], clean_feet=False)
        rows = slice(joins.first[number], joins.first[number] + 2 * joins.window[number] + 1)
        joins.root_positions[rows] = blend.motion.root_positions
        joins.rotations[rows] = blend.motion.rotations
        joins.planted[rows] = blend.contacts.planted
    return replace(made, joins=joins)


def velocity_jumps(motion: Motion) -> FloatArray:
    """Return by how much the fastest-changing joint changes its velocity at each inner frame (F - 2,), m/s."""
    return np.linalg.norm(np.diff(motion.world_positions, n=2, axis=0), axis=-1).max(axis=1) * motion.rate_hz


def largest_jump_inside_clips(character: Character) -> float:
    """Return the largest velocity jump of any clip on its own, margins excluded."""
    worst = 0.0
    for behavior in character.behaviors:
        for clip in {id(clip): clip for clip in behavior.clips}.values():
            inside = velocity_jumps(clip.motion)[clip.margin : clip.motion.frame_count - 2 - clip.margin]
            worst = max(worst, float(inside.max()))
    return worst


def _turned_height(rotations: FloatArray, offset: tuple[float, float, float]) -> FloatArray:
    """Return the height of an offset turned by quaternions (F, 4)."""
    w, x, y, z = rotations.T
    return 2 * (x * z - w * y) * offset[0] + 2 * (y * z + w * x) * offset[1] + (1 - 2 * (x * x + y * y)) * offset[2]


def _excess(clip: Clip, start: FloatArray, points: FloatArray, radii: FloatArray) -> float:
    """Return how far spheres at points (N, C, S, 3) leave the nearest instant's cylinders; each may choose its own."""
    nearest = np.arange(len(points)) / clip.frames_per_step
    excess = np.full(points.shape[:3], np.inf)
    for instants in (np.floor(nearest).astype(int), np.ceil(nearest).astype(int)):
        headings = start[2] + clip.path[instants, 2]
        cosine, sine = np.cos(start[2]), np.sin(start[2])
        x, y = clip.path[instants, 0], clip.path[instants, 1]
        origins = start[:2] + np.column_stack((cosine * x - sine * y, sine * x + cosine * y))
        offset = points[..., :2] - origins[:, None, None]
        c, s = np.cos(headings)[:, None, None], np.sin(headings)[:, None, None]
        local = np.stack((c * offset[..., 0] + s * offset[..., 1], -s * offset[..., 0] + c * offset[..., 1]), axis=-1)
        for part in range(clip.shape.radius.shape[1]):
            axis = clip.shape.offset[instants, part][:, None, None]
            radius, low, high = (
                table[instants, part][:, None, None] for table in (clip.shape.radius, clip.shape.low, clip.shape.high)
            )
            out = np.linalg.norm(local - axis, axis=-1) + radii[:, None] - radius
            above, below = points[..., 2] + radii[:, None] - high, low - (points[..., 2] - radii[:, None])
            excess = np.minimum(excess, np.maximum(out, np.maximum(above, below)))
    return float(excess.max())

"""Cameras for videos of crowds: over the whole crowd, around its densest place, or behind one character."""

from __future__ import annotations

import math

import numpy as np
import scipy

from gambol.crowd.moment import Moment, moment, places
from gambol.crowd.recording import Recording
from gambol.errors import InvalidInput, UnknownName
from gambol.geometry.arrays import FloatArray
from gambol.pictures.camera import Camera
from gambol.pictures.stage import OVERVIEW
from gambol.world.world import World

CAMERAS = ("overview", "orbit", "follow")
WIDE_RAD = math.radians(32.0)  # radians from top to bottom, of "overview" and "orbit"
MOST_SEEN_M = 110.0  # metres across: a wider crowd is shown only around its densest place
MARGIN_M = 1.0  # metres shown around characters
STRAGGLERS = 0.01  # 0 to 0.5: share of the outermost characters, on each side along x and y, that may be out of view
TALL_M = 1.8  # metres: height of the space shown above the ground
ORBIT_TILT_RAD = math.radians(24.0)  # radians below the horizon; larger: steeper
ORBIT_TURN_RAD = math.radians(5.0)  # radians a second
ORBIT_RADIUS_M = 16.0  # metres: greatest radius of the place that "orbit" shows
FOLLOW_BACK_M = 6.5  # metres behind the followed character
FOLLOW_UP_M = 3.4  # metres above the ground
FOLLOW_AHEAD_M = 2.5  # metres ahead of the character: where the camera looks
FOLLOW_RAD = math.radians(46.0)  # radians from top to bottom, of "follow"
LOOK_HEIGHT_M = 0.9  # metres above the ground: where cameras look
SMOOTH_S = 0.8  # seconds: a following camera's path is smoothed over this time; larger: calmer
SWING_S = 1.6  # seconds: its direction is smoothed over this time
SAMPLES = 9  # times at which "overview" and "orbit" look for characters


def crowd_cameras(
    recording: Recording,
    world: World,
    times_s: FloatArray,
    *,
    kind: str = "overview",
    aspect: float = 16.0 / 9.0,
    who: str | None = None,
) -> list[Camera]:
    """Return a camera for each time.

    kind: "overview" stands still and shows all characters, or the densest place if they are far apart; "orbit" goes
    slowly around the densest place, lower and nearer; "follow" goes behind one character.
    who: the name of the character to follow; by default the one that goes farthest.
    """
    if kind not in CAMERAS:
        raise UnknownName("camera", kind, CAMERAS)
    if who is not None and kind != "follow":
        raise InvalidInput(f"the camera {kind!r} follows no character; 'follow' does")
    if kind == "follow":
        return _following(recording, times_s, farthest(recording, times_s) if who is None else recording.number(who))
    points = np.concatenate([_where(recording, time_s) for time_s in np.linspace(times_s[0], times_s[-1], SAMPLES)])
    if kind == "overview":
        return [_overview(world, points, aspect)] * len(times_s)
    return _orbit(world, points, times_s - times_s[0])


def densest(points: FloatArray, radius_m: float) -> FloatArray:
    """Return the mean (2,) of the points in the fullest disc of a radius around one of the points (P, 2)."""
    from scipy.spatial import KDTree

    if len(points) == 0:
        return np.zeros(2)
    tree = KDTree(points)
    centers = points[:: max(1, len(points) // 500)]
    counts = tree.query_ball_point(centers, radius_m, return_length=True)
    return points[tree.query_ball_point(centers[int(np.argmax(counts))], radius_m)].mean(axis=0)


def farthest(recording: Recording, times_s: FloatArray) -> int:
    """Return the character that goes farthest, in straight lines from second to second, of those present throughout."""
    seconds = np.linspace(times_s[0], times_s[-1], max(2, math.ceil(times_s[-1] - times_s[0]) + 1))
    gone = np.zeros(len(recording))
    before = np.full((len(recording), 2), np.nan)
    for time_s in seconds.tolist():
        now = moment(recording, time_s)
        here = np.full((len(recording), 2), np.nan)
        here[now.who] = places(recording, now)[:, :2]
        if time_s > seconds[0]:
            gone += np.linalg.norm(here - before, axis=1)
        before = here
    if not np.isfinite(gone).any():
        raise InvalidInput("no character is present for the whole time of the video, so a camera cannot follow one")
    return int(np.nanargmax(gone))


def _where(recording: Recording, time_s: float) -> FloatArray:
    return places(recording, moment(recording, time_s))[:, :2]


def _overview(world: World, points: FloatArray, aspect: float) -> Camera:
    """Show all characters but a few stragglers; if they are too far apart, those around the densest place."""
    if len(points) == 0:
        x0, y0, x1, y1 = world.bounds
        points = np.array([(x, y) for x in (x0, x1) for y in (y0, y1)])
    low, high = np.quantile(points, (STRAGGLERS, 1.0 - STRAGGLERS), axis=0)
    if max(high - low) > MOST_SEEN_M:
        half_m = 0.5 * MOST_SEEN_M
        middle = np.clip(densest(points, half_m), low + np.minimum(half_m, 0.5 * (high - low)), high)
        middle = np.minimum(middle, high - np.minimum(half_m, 0.5 * (high - low)))
        low, high = np.maximum(low, middle - half_m), np.minimum(high, middle + half_m)
    shown = points[np.all((points >= low - 1e-9) & (points <= high + 1e-9), axis=1)]
    shown = np.concatenate([shown + (x, y) for x in (-MARGIN_M, MARGIN_M) for y in (-MARGIN_M, MARGIN_M)])
    frame = np.concatenate([np.column_stack((shown, np.full(len(shown), z))) for z in (0.0, TALL_M)])
    return Camera.framing(frame, OVERVIEW, aspect=aspect, margin=0.02, field_of_view_rad=WIDE_RAD)


def _orbit(world: World, points: FloatArray, seconds: FloatArray) -> list[Camera]:
    x0, y0, x1, y1 = world.bounds
    radius_m = min(ORBIT_RADIUS_M, 0.5 * max(x1 - x0, y1 - y0))
    x, y = densest(points, radius_m).tolist()
    away_m = radius_m / math.tan(0.5 * WIDE_RAD) * 0.75
    cameras = []
    for turn_rad in (math.radians(-110.0) + ORBIT_TURN_RAD * seconds).tolist():
        level_m = away_m * math.cos(ORBIT_TILT_RAD)
        eye = (x + level_m * math.cos(turn_rad), y + level_m * math.sin(turn_rad), away_m * math.sin(ORBIT_TILT_RAD))
        cameras.append(Camera(eye, (x, y, LOOK_HEIGHT_M), WIDE_RAD))
    return cameras


def _following(recording: Recording, times_s: FloatArray, number: int) -> list[Camera]:
    path = np.array([_place(recording, time_s, number) for time_s in times_s.tolist()])
    step_s = float(times_s[1] - times_s[0]) if len(times_s) > 1 else 1.0
    smooth = scipy.ndimage.gaussian_filter1d(path[:, :2], SMOOTH_S / step_s, axis=0, mode="nearest")
    ahead = np.column_stack((np.cos(path[:, 2]), np.sin(path[:, 2])))
    ahead = scipy.ndimage.gaussian_filter1d(ahead, SWING_S / step_s, axis=0, mode="nearest")
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-6)
    eyes = np.column_stack((smooth - FOLLOW_BACK_M * ahead, np.full(len(path), FOLLOW_UP_M)))
    targets = np.column_stack((smooth + FOLLOW_AHEAD_M * ahead, np.full(len(path), LOOK_HEIGHT_M)))
    pairs = zip(eyes.tolist(), targets.tolist(), strict=True)
    return [Camera((a, b, c), (d, e, f), FOLLOW_RAD) for (a, b, c), (d, e, f) in pairs]


def _place(recording: Recording, time_s: float, number: int) -> FloatArray:
    """Return x, y and heading (3,) of a character; before and after its presence, where it appears or leaves."""
    first, last = recording.presence(number)
    now = moment(recording, float(np.clip(time_s, first / recording.rate_hz, last / recording.rate_hz)))
    found = np.flatnonzero(now.who == number)
    return places(recording, Moment._make(column[found] for column in now))[0]

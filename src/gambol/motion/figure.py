"""Figures that are told by their joints, and what no rule for all skeletons would find of them: files of data."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gambol.errors import MalformedFile
from gambol.geometry.arrays import BoolArray, FloatArray, Int32Array
from gambol.motion.joint_names import Limb, mirrored_name
from gambol.motion.skeleton import Skeleton

FOLDER = Path(__file__).parent / "figures"  # one file for each figure
MOST_GROUPS = 8  # of joints that move together: a swept shape has that many cylinders
MIRROR = np.array((1.0, -1.0, 1.0))  # from the left side to the right
MOST_KNOWN = 64  # skeletons whose figure is remembered


class Piece(NamedTuple):
    """A rounded cone, in metres, seen from its joint."""

    joint: str
    start: FloatArray  # (3,)
    end: FloatArray  # (3,)
    start_radius: float
    end_radius: float


class Board(NamedTuple):
    """A prop that feet stand on, and that rolls on two axles."""

    deck: str
    trucks: tuple[str, str]  # front and back
    half_track_m: float  # from the middle of an axle to a wheel


@dataclass(frozen=True, eq=False)
class Figure:
    """What a figure file says; a skeleton that has the joints of all pieces is this figure."""

    pieces: tuple[Piece, ...]
    size: tuple[str, tuple[str, ...], float]  # from a joint to the farthest of others: metres, with the pieces as given
    props: tuple[str, ...] = ()  # joints that belong to no body: the figure carries them along
    groups: tuple[tuple[str, ...], ...] = ()  # of joints that move much together, at most MOST_GROUPS
    hoofed_legs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # left ones: three bones, the hoof
    skin_may_touch: bool = False  # pieces that lie against each other still make one skin
    board: Board | None = None

    def scale(self, skeleton: Skeleton) -> float:
        """Return how large a skeleton is, in figures as the file has them."""
        points, (start, ends, metres) = skeleton.rest_positions, self.size
        origin = points[skeleton.index(start)]
        return float(max(np.linalg.norm(points[skeleton.index(end)] - origin) for end in ends)) / metres


def figure_of(skeleton: Skeleton) -> Figure | None:
    """Return the figure that a skeleton is, or that it carries as a prop; None where no file tells of it."""
    return _figure_with(skeleton.names)


def prop_joints(skeleton: Skeleton) -> BoolArray:
    """Mark the joints (J,) that are props."""
    figure = figure_of(skeleton)
    return np.isin(skeleton.names, () if figure is None else figure.props)


def board_of(skeleton: Skeleton) -> Board | None:
    """Return the board that a skeleton carries along."""
    figure = figure_of(skeleton)
    return None if figure is None else figure.board


def board_joint(skeleton: Skeleton) -> int:
    """Return the joint of the board that a skeleton carries along, or -1."""
    board = board_of(skeleton)
    return -1 if board is None else skeleton.index(board.deck)


def hoofed_legs(skeleton: Skeleton) -> tuple[Limb, ...]:
    """Return the legs that stand on hooves, hind legs before fore legs, of both the left one first."""
    figure = figure_of(skeleton)
    return tuple(
        Limb(f"{side}_{leg}", *(skeleton.index(name) for name in joints))
        for leg, left in (figure.hoofed_legs.items() if figure is not None else ())
        for side, joints in (("left", left), ("right", map(mirrored_name, left)))
    )


def groups_of_joints(skeleton: Skeleton) -> Int32Array | None:
    """Return which of its figure's groups each joint is in (J,), one in none with its parent; None without groups."""
    figure = figure_of(skeleton)
    if figure is None or not figure.groups:
        return None
    of = {name: index for index, group in enumerate(figure.groups) for name in group}
    groups = np.zeros(skeleton.joint_count, dtype=np.int32)
    for joint, name in enumerate(skeleton.names):
        groups[joint] = of.get(name, groups[max(skeleton.parents[joint], 0)])
    return groups


def parse_figure(text: str) -> Figure:
    """Read a figure file; whatever it says wrong is an error of this package."""
    try:
        data = tomllib.loads(text)
        size, board = data.pop("size"), data.pop("board", None)
        figure = Figure(
            pieces=tuple(chain.from_iterable(_pieces(**entry) for entry in data.pop("pieces"))),
            size=(size["from"], tuple(size["to"]), float(size["metres"])),
            props=tuple(data.pop("props", ())),
            groups=tuple(map(tuple, data.pop("groups", ()))),
            hoofed_legs={name: tuple(joints) for name, joints in data.pop("hoofed_legs", {}).items()},
            board=None if board is None else Board(board["deck"], tuple(board["trucks"]), float(board["half_track_m"])),
            **data,
        )
    except KeyError as error:
        raise MalformedFile(f"a figure file needs the key {error}") from None
    except (ValueError, TypeError, AttributeError) as error:  # TOML errors are ValueErrors
        raise MalformedFile(f"this is no figure file: {error}") from None
    for problem in _problems(figure):
        raise MalformedFile(problem)
    return figure


def _pieces(
    *, joint: str, start: list[float], end: list[float], radii: list[float], mirrored: bool = False
) -> Iterator[Piece]:
    """Yield a piece, and the one on the other side: a joint in the middle has both."""
    ends = np.array(start, dtype=np.float64), np.array(end, dtype=np.float64)
    first, last = map(float, radii)
    yield Piece(joint, *ends, first, last)
    if mirrored:
        yield Piece(mirrored_name(joint), ends[0] * MIRROR, ends[1] * MIRROR, first, last)


def _problems(figure: Figure) -> Iterator[str]:
    """Yield what the types of a figure's entries do not rule out."""
    joints = {piece.joint for piece in figure.pieces}
    for piece in figure.pieces:
        if not (piece.start.shape == piece.end.shape == (3,) and np.isfinite([*piece.start, *piece.end]).all()):
            yield f"a piece of {piece.joint!r} needs start and end of three finite numbers each"
        if not (0.0 < piece.start_radius < np.inf and 0.0 < piece.end_radius < np.inf):
            yield f"a piece of {piece.joint!r} needs two positive radii"
    named: list[Any] = [figure.size[0], *figure.size[1], *figure.props, *chain.from_iterable(figure.groups)]
    for name, left in figure.hoofed_legs.items():
        named += [*left, *map(mirrored_name, left)]
        if len(left) != 4:
            yield f"the hoofed leg {name!r} needs four joints: three bones and the hoof"
    if figure.board is not None:
        named += [figure.board.deck, *figure.board.trucks]
        if len(figure.board.trucks) != 2 or not figure.board.half_track_m > 0.0:
            yield "a board needs two trucks, front and back, and a positive half_track_m"
    for name in named:
        if name not in joints:
            yield f"{name!r} is no joint of a piece; there are {', '.join(sorted(joints))}"
    if not figure.size[1] or not figure.size[2] > 0.0:
        yield "size needs joints to measure to, and a positive number of metres"
    if len(figure.groups) > MOST_GROUPS:
        yield f"{len(figure.groups)} groups of joints are more than {MOST_GROUPS}"


@cache
def _figures() -> tuple[Figure, ...]:
    """Read all figure files; of two that a skeleton matches, the one with more pieces comes first."""
    figures = []
    for path in sorted(FOLDER.glob("*.toml")):
        try:
            figures.append(parse_figure(path.read_text(encoding="utf-8")))
        except MalformedFile as problem:
            raise problem.in_file(path) from None
    return tuple(sorted(figures, key=lambda figure: -len(figure.pieces)))


@lru_cache(maxsize=MOST_KNOWN)
def _figure_with(names: tuple[str, ...]) -> Figure | None:
    have = set(names)
    return next((figure for figure in _figures() if have.issuperset(piece.joint for piece in figure.pieces)), None)

"""A crowd that runs, and all that a user may do to it; it knows nothing of browsers."""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gambol.body.capsules import Body
from gambol.crowd.crowd import Crowd
from gambol.crowd.entrance import Entrance
from gambol.crowd.errand import Errand
from gambol.crowd.glance import can_stand, kind_of, planned
from gambol.crowd.live_poses import Figures, LivePoses
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.judges.present import look_now
from gambol.scenes.scene import Scene
from gambol.stages.crowds import SETTLING_FRAMES
from gambol.view.crowd.things import CART, CART_HEIGHTS_M, Cart, throw_at

Point = tuple[float, float]
LEAST_SPEED = 0.25  # > 0: slowest speed, in seconds of the crowd for each second
MOST_SPEED = 4.0  # >= 1: fastest speed
MOST_S = 0.05  # s, > 0: a tick that takes longer skips its other frames; larger: hands wait longer
REMEMBERED_FRAMES = 900  # frames, >= 1: number of planning times that are kept; larger: slower to change
HELD_S = 0.4  # s, >= 0: a dragged obstacle's last request stays this long before a newer place replaces it
SPACING_M = 1.1  # m, > 0: distance of characters that are added or sent together; larger: looser
GOLDEN_RAD = math.pi * (3.0 - math.sqrt(5.0))  # rad: the golden angle, which spreads points of a spiral evenly
INSET_M = 1.0  # m, >= 0: added characters wander this far inside the bounds
LOOKED = 200  # >= 1: characters of a large crowd that one look judges; larger: slower
LOOK_STRIDE = 7919  # from one look's middle character to the next; it is prime, so that all have their turn
THREADED = 2000  # characters: crowds from this number on plan with several threads
MOST_THREADS = 4  # >= 1: threads that plan
CART_NAME = "cart"  # name of the mover that a user drives
MOST_BALLS = 12  # >= 0: balls at a time; larger: slower


@dataclass
class Counts:
    """What has happened until now."""

    touches: set[tuple[int, int]] = field(default_factory=set)  # ids of two characters, where no edit explains it
    entries: set[tuple[int, str]] = field(default_factory=set)  # character and thing, where no edit explains it
    hits: set[tuple[int, int]] = field(default_factory=set)  # edit, and the character that it met

    @property
    def unexplained(self) -> int:
        """The number of touches, and of entries into things, that no edit explains; it must be 0."""
        return len(self.touches) + len(self.entries)


@dataclass
class Hand:
    """The place to which a hand drags an obstacle."""

    x: float
    y: float
    edit: int | None = None  # number of the last request
    asked: Point | None = None  # place of the last request


class CrowdRun:
    """A running crowd.  Only one thread at a time may call it."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        kinds = list({id(actor.character): actor.character for actor in scene.cast}.values())
        threads = min(os.cpu_count() or 1, MOST_THREADS) if len(scene.cast) >= THREADED else 1
        self.crowd = Crowd(scene.world, kinds, seed=scene.seed, threads=threads, records=False)
        self.bodies = [Body.from_skeleton(kind.skeleton) for kind in kinds]
        self._entrance = Entrance(scene, self.crowd)
        self._entrance.admit()
        self._poses = LivePoses(self.crowd, rotations=True)
        self.is_running, self.speed = True, 1.0
        self.chosen: list[int] = []
        self.counts = Counts()
        self.frame_ms: deque[float] = deque(maxlen=REMEMBERED_FRAMES)
        self.plan_us: deque[float] = deque(maxlen=REMEMBERED_FRAMES)  # mean time of a plan in each frame
        self.plans = 0  # number of plans in the last frame
        self.last_plans: dict[int, tuple[int, float]] = {}  # by character: frame of its last plan, and plan_us then
        self.cart: Cart | None = None
        self._hands: dict[str, Hand] = {}
        self._owed = 0.0  # frames that are due; less than 1 between two ticks
        self._balls = 0
        self._added = 0
        self._looks = 0

    # --- time ---------------------------------------------------------------------------------------------------

    def tick(self) -> int:
        """Let the frames pass that are due in a thirtieth of a second, and return their number."""
        if not self.is_running:
            return 0
        self._owed += min(max(self.speed, LEAST_SPEED), MOST_SPEED)
        passed, ends = 0, time.perf_counter() + MOST_S
        while self._owed >= 1.0:
            self._owed -= 1.0
            self.step()
            passed += 1
            if time.perf_counter() > ends:
                self._owed = 0.0
        return passed

    def step(self) -> None:
        """Let one frame pass."""
        crowd, statistics = self.crowd, self.crowd.statistics
        self._entrance.admit()
        self._follow_hands()
        if self.cart is not None:
            self.cart.go_on(1.0 / crowd.rate_hz, crowd.time_s, crowd.floor)
            self._drive(self.cart)
        spent, looked = sum(statistics.seconds.values()), statistics.look_ups
        proposing = statistics.seconds["propose"]
        crowd.step()
        self.frame_ms.append(1000.0 * (sum(statistics.seconds.values()) - spent))
        self.plans = statistics.look_ups - looked
        if self.plans:
            plan_us = 1e6 * (statistics.seconds["propose"] - proposing) / self.plans
            self.last_plans.update(dict.fromkeys(planned(crowd, self.plans), (crowd.frame, plan_us)))
            if statistics.frames > SETTLING_FRAMES:
                self.plan_us.append(plan_us)
        if self.chosen or len(self.last_plans) > 2 * len(crowd):
            here = set(crowd.ids)
            self.chosen = [who for who in self.chosen if who in here]
            self.last_plans = {who: plan for who, plan in self.last_plans.items() if who in here}

    def poses(self, ids: Sequence[int] | NDArray[np.int64] | None = None) -> tuple[Figures, ...]:
        """Return where the joints of some characters are, or of all; the next call fills the same arrays."""
        return self._poses.now(ids, later_frames=self._owed)

    @property
    def time_s(self) -> float:
        """The time that is shown; at slow speeds it may be between two frames."""
        return self.crowd.time_s + self._owed / self.crowd.rate_hz

    def look(self) -> None:
        """Count present touches, and characters that edits have met; a large crowd is judged part by part."""
        figures = self._poses.now()
        if len(self.crowd) > LOOKED:
            figures = self._poses.now(self._next_looked(figures))
        found = look_now(self.crowd, figures, self.bodies)
        self.counts.touches.update(found.touches)
        self.counts.entries.update(found.entries)
        for edit in self.crowd.edits:
            for who, hits in edit.hits.items():
                if any(hit.first_frame <= self.crowd.frame for hit in hits):
                    self.counts.hits.add((edit.number, who))

    def _next_looked(self, figures: Sequence[Figures]) -> NDArray[np.int64]:
        """Return the ids of a character and of those nearest to it; each call takes another character."""
        ids = np.concatenate([one.ids for one in figures])
        roots = np.concatenate([one.positions[:, 0, :2] for one in figures])
        self._looks += 1
        middle = roots[self._looks * LOOK_STRIDE % len(roots)]
        return ids[np.argpartition(np.linalg.norm(roots - middle, axis=1), LOOKED)[:LOOKED]]

    # --- characters ---------------------------------------------------------------------------------------------

    def add(self, kind: int, x: float, y: float, *, count: int = 1) -> int:
        """Add characters that wander about around a place; return how many found room; 0 is an error."""
        x0, y0, x1, y1 = self.crowd.world.bounds
        inset = min(INSET_M, 0.25 * min(x1 - x0, y1 - y0))
        errand = Errand.wander((x0 + inset, y0 + inset, x1 - inset, y1 - inset))
        refused, added = "", 0
        for place in _spiral(x, y, 4 * count):
            heading = math.atan2(0.5 * (y0 + y1) - place[1], 0.5 * (x0 + x1) - place[0])
            pose = (*place, heading)
            problem = self.crowd.obstruction(kind, pose)
            refused = refused or problem or ""
            if problem is None:
                self._added += 1
                self.crowd.add(kind, pose, errand, name=f"added-{self._added}")
                added += 1
            if added == count:
                return added
            if count == 1:
                break
        if not added:
            raise InvalidInput(f"no character can be put at ({x:.1f}, {y:.1f}): {refused}")
        return added

    def remove(self, who: int) -> None:
        """Take a character out."""
        self.crowd.remove(who)
        self.last_plans.pop(who, None)
        self.chosen = [one for one in self.chosen if one != who]

    def choose(self, ids: Sequence[int], *, also: bool = False) -> None:
        """Choose characters by ids.

        also: keep those chosen before; then naming a single chosen character gives it up.
        """
        here = set(self.crowd.ids)
        named = [who for who in ids if who in here]
        if not also:
            self.chosen = list(dict.fromkeys(named))
        elif len(named) == 1 and named[0] in self.chosen:
            self.chosen = [who for who in self.chosen if who != named[0]]
        else:
            self.chosen = list(dict.fromkeys([*self.chosen, *named]))

    def send(self, who: int, x: float, y: float) -> None:
        """Send a character to a place; a place without room to stand is an error."""
        if not can_stand(self.crowd, kind_of(self.crowd, who), x, y):
            raise InvalidInput(f"{self.crowd.names[who]} cannot stand at ({x:.1f}, {y:.1f}): there is no room")
        self.crowd.give(who, Errand.to(x, y, then=self.crowd.errand(who).then))

    def send_chosen(self, x: float, y: float) -> int:
        """Send the chosen characters to a place and around it; return how many found room; 0 is an error."""
        if not self.chosen:
            raise InvalidInput("no character is chosen: click one, or hold shift and drag a rectangle")
        waiting = list(self.chosen)
        for place in _spiral(x, y, 4 * len(waiting) + 8):
            if waiting and can_stand(self.crowd, kind_of(self.crowd, waiting[0]), *place):
                self.send(waiting.pop(0), *place)
        if len(waiting) == len(self.chosen):
            raise InvalidInput(f"no character can stand at ({x:.1f}, {y:.1f}): there is no room")
        return len(self.chosen) - len(waiting)

    # --- things -------------------------------------------------------------------------------------------------

    def drag(self, obstacle: str, x: float, y: float) -> None:
        """Drag an obstacle to a place; it moves there as soon as all characters can be out of there in two seconds."""
        x0, y0, x1, y1 = self.crowd.world.bounds
        x, y = min(max(x, x0), x1), min(max(y, y0), y1)
        hand = self._hands.setdefault(obstacle, Hand(x, y))
        hand.x, hand.y = x, y

    @property
    def waiting(self) -> dict[str, Point]:
        """The places to which obstacles were dragged but have not moved yet, by their names."""
        return {name: (hand.x, hand.y) for name, hand in self._hands.items()}

    def throw(self, eye: FloatArray, aim: Point) -> str:
        """Throw a ball so that it comes down at a place; return its name."""
        names = {mover.name for mover in self.crowd.world.movers}
        if sum(name.startswith("ball ") for name in names) >= MOST_BALLS:
            raise InvalidInput(f"there are {MOST_BALLS} balls already: wait until some are gone")
        self._balls += 1
        name = f"ball {self._balls}"
        after_s = 1.0 / self.crowd.rate_hz  # it appears in the next frame
        self.crowd.throw(throw_at(name, eye, aim, self.crowd.floor, self.crowd.time_s + after_s))
        return name

    def push(self, ahead: float, turn: float) -> None:
        """Push and turn the cart, each from -1 to 1; the first push brings it to the middle."""
        if self.cart is None:
            x0, y0, x1, y1 = self.crowd.world.bounds
            self.cart = Cart(*_roomiest(self.crowd, 0.5 * (x0 + x1), 0.5 * (y0 + y1)))
        self.cart.push(ahead, turn, self.crowd.time_s)

    def take_cart(self) -> None:
        """Take the cart away."""
        if self.cart is not None and any(mover.name == CART_NAME for mover in self.crowd.world.movers):
            self.crowd.remove_mover(CART_NAME)
        self.cart = None

    def _drive(self, cart: Cart) -> None:
        self.crowd.drive(CART_NAME, cart.x, cart.y, cart.heading, footprint=CART, heights_m=CART_HEIGHTS_M)

    def _follow_hands(self) -> None:
        """Ask the crowd to move dragged obstacles to their hands; each request is given some time."""
        crowd = self.crowd
        edits = {edit.number: edit for edit in crowd.edits} if self._hands else {}
        for name, hand in list(self._hands.items()):
            last = edits.get(hand.edit) if hand.edit is not None else None
            is_there = hand.asked == (hand.x, hand.y)
            if last is not None and last.is_pending:
                if is_there or crowd.frame - last.asked_frame < HELD_S * crowd.rate_hz:
                    continue
            elif is_there:
                del self._hands[name]
                continue
            heading = next(one.pose[2] for one in crowd.world.obstacles if one.name == name)
            hand.edit = crowd.move_obstacle(name, (hand.x, hand.y, heading), when="soon")
            hand.asked = (hand.x, hand.y)


def _spiral(x: float, y: float, count: int) -> list[Point]:
    """Return places around one, about equally far from each other, the nearest first."""
    away = SPACING_M * np.sqrt(np.arange(count))
    turn = GOLDEN_RAD * np.arange(count)
    return list(zip((x + away * np.cos(turn)).tolist(), (y + away * np.sin(turn)).tolist(), strict=True))


def _roomiest(crowd: Crowd, x: float, y: float) -> Point:
    """Return a place near one with much room around it."""
    floor = crowd.floor
    rows, columns = np.indices(floor.room.shape)
    away = np.hypot(floor.x0 + (columns + 0.5) * floor.cell_m - x, floor.y0 + (rows + 0.5) * floor.cell_m - y)
    row, column = np.unravel_index(int(np.argmin(away - 10.0 * floor.room)), floor.room.shape)
    return float(floor.x0 + (column + 0.5) * floor.cell_m), float(floor.y0 + (row + 0.5) * floor.cell_m)

"""The state machine of locomotion [KP00 figure 8]: its edges as a table, and who consults it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gambol.climb.modes import Mode
from gambol.climb.paper import ground_rules, hold_rules
from gambol.climb.paper.attempt import LONG_EASE_STEPS, Attempt
from gambol.climb.paper.surroundings import Surroundings

Rule = Callable[[Surroundings, Attempt, bool], bool]

#: A mode that was left is entered again only when the goal is nearer by this.
RETURN_M = 0.3


@dataclass(frozen=True)
class Edge:
    """An edge: when it may be taken, what is done, and how much it is preferred beside others from the same mode.

    Lengths are an adult's; they grow with the stature.
    """

    name: str
    start: Mode
    end: Mode
    when: str
    action: str
    preference: int  # greater comes first
    rule: Rule


WALK, CLIMB, SWING, CRAWL = Mode.WALK, Mode.CLIMB, Mode.SWING, Mode.CRAWL
#: Before each step of descent the lesser strides are left out; once it is stuck, they count too.
EDGES: tuple[Edge, ...] = (
    Edge(
        "get down", WALK, CRAWL,
        "head-room below 1.6 m within 1.0 m ahead; hands reach the ground 0.1 to 1.0 m ahead of the pelvis",
        "put both feet down, crouch by the discomfort of crawling, put one hand down, then the other",
        5, ground_rules.get_down,
    ),
    Edge(
        "step", WALK, WALK,
        "centre of mass past the front foot; a foothold nearer to the goal 0.4 to 1.0 m ahead of it (stuck: 0.12 m)",
        "carry the free or rear foot there, nearest to 0.6 m first; correct the posture; let the other foot go",
        4, ground_rules.step,
    ),
    Edge(
        "start climbing", WALK, CLIMB,
        "stuck; holds on a wall ahead, or rungs, for both hands within 0.85 m of the neck",
        "take one with each hand, nearest to 0.2 m above the neck first; correct the posture",
        3, hold_rules.start_climbing,
    ),
    Edge(
        "start swinging", WALK, SWING,
        "stuck; bars or ceiling holds for both hands from 0.2 m behind to 0.6 m ahead of the shoulders",
        "take one with each hand; let the feet go; correct the posture",
        2, hold_rules.start_swinging,
    ),
    Edge(
        "climb on", CLIMB, CLIMB,
        "a hold 0.25 to 0.9 m nearer to the goal for a limb (stuck: 0.08 m); two others stay held at least",
        "move the limb that lags most, hands being 1.3 m ahead of feet, nearest to 0.45 m first; correct the posture",
        5, hold_rules.climb,
    ),
    Edge(
        "stand on top", CLIMB, WALK,
        "stuck; both feet on floors; the centre of mass comes above them with the hands still held",
        "correct the posture for walking, let the hands go, straighten up",
        4, hold_rules.stand_on_top,
    ),
    Edge(
        "crawl on top", CLIMB, CRAWL,
        "stuck; both hands on a floor that bears them",
        "correct the posture for crawling",
        3, hold_rules.crawl_on_top,
    ),
    Edge(
        "hang", CLIMB, SWING,
        "stuck; both hands on bars or ceiling holds",
        "let the feet go; correct the posture",
        2, hold_rules.hang,
    ),
    Edge(
        "come down", SWING, WALK,
        "footholds on a floor, not farther from the goal, for both feet; the centre of mass comes above them",
        "put both feet down, balance with the hands still held, let the hands go, straighten up",
        5, hold_rules.come_down,
    ),
    Edge(
        "swing on", SWING, SWING,
        "a bar or ceiling hold nearer to the goal 0.3 to 0.75 m past the front hand (stuck: 0.1 m)",
        "carry the rear hand there, nearest to 0.4 m first; correct the posture",
        4, hold_rules.swing,
    ),
    Edge(
        "come to a wall", SWING, CLIMB,
        "stuck; a hold on a wall for a foot, not farther from the goal",
        "put the feet there; correct the posture",
        3, hold_rules.come_to_a_wall,
    ),
    Edge(
        "stand up", CRAWL, WALK,
        "head-room above 1.75 m here and 1.0 m ahead; the centre of mass comes above the feet with hands still held",
        "bring the feet under the body, balance, let the hands go, straighten up",
        5, ground_rules.stand_up,
    ),
    Edge(
        "crawl on", CRAWL, CRAWL,
        "a hold 0.25 to 0.75 m ahead for a limb (stuck: 0.1 m); two others stay held at least",
        "move the limb that lags most, nearest to 0.4 m first; correct the posture",
        4, ground_rules.crawl,
    ),
    Edge(
        "climb from crawling", CRAWL, CLIMB,
        "stuck; holds on a wall ahead, or rungs, for both hands within 0.85 m of the neck",
        "take one with each hand; correct the posture",
        3, hold_rules.start_climbing,
    ),
)  # fmt: skip


class Machine:
    """Consults the edges of the mode that a figure is in, the preferred ones first."""

    def __init__(self, around: Surroundings, edges: tuple[Edge, ...] = EDGES) -> None:
        self.around = around
        ordered = sorted(edges, key=lambda edge: -edge.preference)
        self.edges = {mode: [edge for edge in ordered if edge.start == mode] for mode in Mode}
        self.taken: dict[str, int] = {edge.name: 0 for edge in edges}

    def propose(self, attempt: Attempt, came_from: tuple[int, float] | None, *, stuck: bool) -> Attempt | None:
        """Return a figure after the first edge that can be taken, with the rows that led there, or None.

        Where descent is stuck and no edge can be taken, the posture is corrected and all edges are tried again.
        came_from: the mode before this one and the potential at which it was left.
        """
        left = self.around.tables.potential_of(attempt.q)
        edges = [
            edge
            for edge in self.edges[attempt.mode]
            if not (came_from is not None and came_from[0] == edge.end and left > came_from[1] - RETURN_M)
        ]
        found = self._first(edges, attempt, stuck)
        if found is None and stuck and edges:
            eased = attempt.copy()
            eased.settle(steps=LONG_EASE_STEPS)
            found = self._first(edges, eased, stuck)
        return found

    def _first(self, edges: list[Edge], attempt: Attempt, stuck: bool) -> Attempt | None:
        for edge in edges:
            trial = attempt.copy(with_rows=True)
            if edge.rule(self.around, trial, not stuck):
                self.taken[edge.name] += 1
                return trial
        return None

"""The finite-state machine of modes [KP00 figure 8]: every edge with its precondition, action and preference.

The paper leaves the conditions to a thesis; these are ours.  Lengths are an adult's and scale with the figure.
"""

from __future__ import annotations

from typing import NamedTuple

from gambol.climb.modes import Mode

STRIDE_M = 0.58  # from foot to foot, preferred in walking
FIRST_STRIDE = 0.65  # of a stride, from standing with both feet side by side
BACK_STRIDE_M = 0.35
CRAWL_REACH_M = 0.40  # how far a limb advances in crawling, preferred
CLIMB_REACH_M = 0.45
HAND_SPAN_M = 0.45  # from hand to hand, preferred in swinging
WALKING_ROOM_M = 1.40  # head-room below which nobody walks
UPRIGHT_ROOM_M = 1.75


class Edge(NamedTuple):
    """A change of what is held that leads from one mode to the same or another."""

    source: Mode
    target: Mode
    cost: float  # of one such change, in metres of way: less is preferred
    when: str
    action: str


WALK, CLIMB, SWING, CRAWL = Mode.WALK, Mode.CLIMB, Mode.SWING, Mode.CRAWL

EDGES: tuple[Edge, ...] = (
    Edge(
        WALK, WALK, 0.25,
        "a foothold on a floor, up to 1.0 m ahead or 0.6 m behind the standing foot and 0.6 m higher or lower, "
        f"under {WALKING_ROOM_M:g} m of room",
        f"a step, {STRIDE_M:g} m preferred; feet side by side, to stop or to turn round on the spot",
    ),
    Edge(
        CLIMB, CLIMB, 0.15,
        "three of four are held after it, two while it moves; a hand is 0.25 m or more above a foot",
        f"one limb moves to the next hold, {CLIMB_REACH_M:g} m preferred",
    ),
    Edge(
        SWING, SWING, 0.20, "one hand holds",
        f"hand over hand, {HAND_SPAN_M:g} m past the other preferred; rather ahead than back",
    ),
    Edge(
        CRAWL, CRAWL, 0.16, "on floors only; three are held after it, two while it moves; hands ahead of feet",
        f"one limb moves ahead or back, {CRAWL_REACH_M:g} m preferred; dear where one could walk",
    ),
    Edge(
        WALK, CRAWL, 0.9,
        f"floor within reach ahead; less than {UPRIGHT_ROOM_M:g} m of room within 1.7 m ahead (a quarter of the cost "
        f"below {WALKING_ROOM_M:g} m), or an edge behind to climb down",
        "a hand goes to the ground",
    ),
    Edge(
        CRAWL, WALK, 0.2,
        f"both feet on floors under {WALKING_ROOM_M:g} m of room, balanced above them with the hand still held",
        "the last hand lets go, the body rises",
    ),
    Edge(WALK, CLIMB, 0.5, "a hold in front within reach, 0.25 m or more above the feet", "a hand takes it"),
    Edge(
        CLIMB, WALK, 0.2, "both feet on floors, balanced above them with the hand still held", "the last hand lets go"
    ),
    Edge(WALK, SWING, 0.6, "a bar or ceiling hold overhead within reach", "a hand takes it"),
    Edge(SWING, WALK, 0.2, "both feet on a floor, balanced above them", "the last hand lets go"),
    Edge(CLIMB, SWING, 0.4, "hands on bars or ceiling holds", "a foot lets go, or a hand takes a bar"),
    Edge(SWING, CLIMB, 0.3, "a foothold or a hold in front within reach", "a foot or a hand takes it"),
    Edge(CRAWL, CLIMB, 1.0, "a hold in front within reach, 0.25 m or more above the feet", "a hand takes it"),
    Edge(CLIMB, CRAWL, 0.3, "all that is held lies on floors after it", "the last limb comes up onto the floor"),
    Edge(CRAWL, SWING, 0.9, "a bar or ceiling hold overhead within reach", "a hand takes it"),
    Edge(SWING, CRAWL, 0.9, "floor within reach of a hand", "a hand goes to the floor"),
)  # fmt: skip

COSTS = {(edge.source, edge.target): edge.cost for edge in EDGES}
TURN_COST = 0.8  # of turning round on the spot
RELEASE_COST = 0.1
IDLE_COST = 0.8  # of a limb that holds nothing after a change, in climbing and crawling
TIRED_COST = 0.3  # of moving a limb of the same kind twice in a row in crawling; twice for the very same limb
FACING_AWAY_M = 0.3  # of way left, added for who faces away from where the floor leads
DOWN_IN_THE_OPEN_M = 0.3  # of way left, added for who is on all fours where one could walk
BACKWARD = 6.0  # times the cost of crawling backward
CRAWL_ON_IN_THE_OPEN = 3.0  # of a hand that goes on where one could stand up and walk

"""The built-in human as a character: every authored clip as a behavior, and the papers' sets as subsets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tools.authoring.actions.clips import all_actions, jump_fan
from tools.authoring.from_authored import State, character_from
from tools.authoring.locomotion import clips as locomotion

from gambol.characters.character import Character

#: Clips of one state: what differs only in manner.
VARIANTS = {
    "jog": ("jog", "loose-jog", "tight-jog"),
    "stand": ("stand", "stand-sway", "stand-look-left", "stand-look-right"),
    "jump": ("jump", "jump-loose"),
    "jump-two-foot": ("jump-two-foot", "jump-two-foot-tight"),
}
SPECIAL = ("jump-over", "jump", "duck", "crawl-in", "crawl-cycle", "crawl-out", "stop-and-wait")
SEVEN_JOGS = ("jog", *(f"jog-{side}-{angle}" for side in ("left", "right") for angle in (15, 30, 50)))
SHORT_JOGS = (
    *(f"step-{foot}{turn}" for foot in ("left", "right") for turn in ("", "-left-5", "-right-5")),
    *(f"short-jog{turn}" for turn in ("", "-left-10", "-right-10")),
)
C20_GAITS = ("slow", "walk", "fast", "jog")
#: A metre at a slower gait costs more: without other preferences the human is in a hurry.
GAIT_WEIGHTS = {"slow": 1.8, "walk": 1.4, "fast": 1.2}
#: Setting out at an angle is for those who have no other way: a search with time to think sets out ahead, then turns.
ANGLED_START_WEIGHT = 2.0


@cache
def human_character() -> Character:
    """Return the built-in human with all its behaviors; its subsets are lk05, lk06-21, lk06-13, c20 and crowd."""
    authored = {**locomotion.all_clips(), **all_actions()}
    for gait in C20_GAITS:
        authored |= {name: clip for name, clip in locomotion.fan(gait).items() if name not in authored}
    angled = locomotion.angled_starts()
    authored |= jump_fan() | locomotion.small_moves() | angled
    grouped = {name for names in VARIANTS.values() for name in names[1:]}
    states = [
        State(
            name.replace("-", " "),
            _kind(name),
            clip,
            tuple(authored[other] for other in VARIANTS.get(name, (name,))[1:]),
            ANGLED_START_WEIGHT if name in angled else GAIT_WEIGHTS.get(name.split("-")[0], 1.0),
        )
        for name, clip in authored.items()
        if name not in grouped
    ]
    return character_from("human", states, subsets=_subsets([state.clip.name for state in states]))


def _kind(name: str) -> str:
    """Return what a behavior is to a planner's preferences, by its name."""
    if name.startswith("jump"):
        return "jump"
    if name.startswith(("duck", "crawl")):
        return "low"
    if name.startswith(("stand", "stop-and-wait")):
        return "wait"
    if name.startswith(("side", "back", "ahead", "spot")):
        return "side"
    if name.startswith(("start", "stop", "short-stop", "go")) or "-to-" in name:
        return "change"
    return "turn" if "-left-" in name or "-right-" in name else "forward"


def _subsets(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the sets of the papers, as far as their texts say, and what a crowd needs.

    lk05: start, end, seven jogs, nine shorter ones (six of them between other labels), two jumps,
    duck, crawl in three parts and stop-and-wait: 25 states [LK05 3.1].  lk06-21 and lk06-13 have the
    paper's numbers of states, with and without special motions; which they were is our choice.
    c20: idle, three walks, jog and jump, each moving one at 13 angles; stands, starts, stops and
    changes of gait, which C20 leaves to interpolation, are clips of their own here.
    """
    ends = ("start", "stop")
    c20_fans = [
        name
        for name in names
        if any(name == gait or name.startswith((f"{gait}-left-", f"{gait}-right-")) for gait in (*C20_GAITS, "jump"))
        and (name in (*C20_GAITS, "jump") or int(name.rsplit("-", 1)[1]) % 15 == 0)
    ]
    ahead = [name for name in names if not name[-1].isdigit()]
    links = [name for name in ahead if "-to-" in name or (name.startswith(("start", "stop")) and "wait" not in name)]
    specials = {name for name in names if _kind(name) in ("jump", "low")}
    c20 = [*c20_fans, "stand", *links]
    return {
        "lk05": (*ends, *SEVEN_JOGS, *SHORT_JOGS, *SPECIAL),
        "lk06-21": (*ends, *SEVEN_JOGS, *SHORT_JOGS[:4], *SPECIAL, "jump-two-foot"),
        "lk06-13": (*ends, *SEVEN_JOGS, *SHORT_JOGS[:4]),
        "c20": tuple(c20),
        "crowd": tuple(name for name in names if name not in specials | (set(c20_fans) - _modest(names))),
    }  # fmt: skip


def _modest(names: Sequence[str]) -> set[str]:
    """Return the gaits and their turns of up to 50 degrees."""
    turns = {name for name in names if name.rsplit("-", 1)[-1].isdigit() and int(name.rsplit("-", 1)[-1]) <= 50}
    return turns | set(C20_GAITS)

"""Whose trees are measured: parts of the built-in human, after what the papers say of their characters."""

from __future__ import annotations

from functools import lru_cache

from gambol.characters import Character, load_character

HUB = "jog-left"  # transition label of one who jogs, the left foot about to land
#: Eight behaviors that may all follow each other: to depth 5 they make the some 37,000 nodes of L09 4.7.2.
EIGHT = (
    "jog", "jog-left-15", "jog-right-15", "jog-left-30", "jog-right-30", "jog-left-50", "jog-right-50", "short-jog",
)  # fmt: skip


@lru_cache(maxsize=1)
def eight_joggers() -> Character:
    """Return the human with eight behaviors, all of them jogging."""
    return load_character("human").only(EIGHT, name="human/eight")


@lru_cache(maxsize=1)
def eleven_joggers() -> Character:
    """Return the human with LK06's 13 states but for start and stop: queries begin and end in mid-jog, as in L09."""
    human = load_character("human")
    names = [name for name in human.subsets["lk06-13"] if name not in ("start", "stop")]
    return human.only(names, name="human/eleven")


@lru_cache(maxsize=2)
def lk06_character(states: int) -> Character:
    """Return the human with LK06's 21 or 13 states."""
    return load_character("human").subset(f"lk06-{states}")

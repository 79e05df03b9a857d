"""The experiments: what is asked, and what is compared [L09 5.6.3]."""

from __future__ import annotations

from typing import NamedTuple

from gambol.errors import UnknownName

CLIPS = 15  # that each person sees
LEAST_CLIPS = 15  # in a long sequence
LOWEST, HIGHEST = 1, 9  # scores
OURS = "ours"


class Published(NamedTuple):
    """What the thesis found with 15 people."""

    motion: str
    p: float


class Experiment(NamedTuple):
    """What people are asked about motions of two kinds."""

    name: str
    other: str  # the kind that ours are compared with
    title: str
    task: str
    question: str
    low: str  # what the lowest score means
    high: str
    more: str  # what a higher score means more of
    published: tuple[Published, ...]

    @property
    def conditions(self) -> tuple[str, str]:
        return OURS, self.other


EXPERIMENTS = {
    "natural": Experiment(
        "natural",
        "real",
        "How natural are these motions?",
        "You will see {count} short motions, one after another. After each, say how natural or human-like it is. "
        "Look at how the body moves, not at how it is drawn.",
        "How natural or human-like was this motion?",
        "not natural at all",
        "entirely natural",
        "natural",
        (Published("cheering", 0.930), Published("walk cycles", 0.578)),
    ),
    "repetitive": Experiment(
        "repetitive",
        "cycles",
        "How repetitive are these motions?",
        "You will see {count} motions of about {seconds} seconds, one after another. In each a person does the same "
        "kind of movement many times. After each, say how repetitive it is: whether many of its movements "
        "repeat exactly.",
        "How repetitive was this motion?",
        "nothing repeats exactly",
        "all of it repeats exactly",
        "repetitive",
        (Published("cheering", 1.02e-8), Published("walk cycles", 4.49e-8)),
    ),
}  # fmt: skip


def experiment_named(name: str) -> Experiment:
    """Return an experiment by its name."""
    if name not in EXPERIMENTS:
        raise UnknownName("experiment", name, tuple(EXPERIMENTS))
    return EXPERIMENTS[name]

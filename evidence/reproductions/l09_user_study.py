"""L09 section 5.6.3: the study with people, made ready, and its analysis on raters that are simulated."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from evidence.noise import cycle_animation
from evidence.reproductions.claim import claim
from evidence.reproductions.drawing import DPI, INK, PALE
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.report import Report, Row, Table, row
from evidence.reproductions.variation_inputs import inputs_of, said_of
from evidence.reproductions.variation_tables import learned, setting_table
from evidence.study.analysis import Findings, analyse
from evidence.study.clips import StudyClip, clips_of_model
from evidence.study.experiments import CLIPS, EXPERIMENTS, HIGHEST, LEAST_CLIPS, LOWEST, OURS, Experiment
from evidence.study.key import Answer, Answers, Key, read_key
from evidence.study.study import make_study, write_study
from gambol.variation import VariationModel, repetition, shape

NAME = "l09-user-study"
TITLE = "L09 section 5.6.3: the study with people"
NOT_RUN = "not run: needs people"
PEOPLE = 15
SEED = 11
APART = {"natural": 0.0, "repetitive": 1.5}  # points by which a simulated rater scores ours lower
OWN, CHANCE = 1.2, 1.6  # deviation of a simulated rater's own level, and of each score about it
SIGNIFICANT = 0.05
PUBLISHED, PAGES, SIMULATED, REPEATED = "published, and ours", "pages", "simulated raters", "repeats by measure"


class Simulated(NamedTuple):
    """What the analysis says of simulated raters."""

    findings: Findings  # of the first study
    found: float  # share of studies with p below 0.05


def run(quick: bool, say: Say) -> Result:
    """Make both pages, answer them by simulated raters, and analyse what these said."""
    walks = inputs_of("walk")
    model = learned(walks)
    studies = 20 if quick else 500
    pages: dict[str, tuple[int, Key]] = {}
    simulated: dict[str, Simulated] = {}
    for number, (name, experiment) in enumerate(EXPERIMENTS.items()):
        say(f"making the page of experiment {name}", number / len(EXPERIMENTS))
        pages[name] = _page(experiment, model)
        simulated[name] = _simulated(experiment, pages[name][1], studies)
    repeats = _repeats(model)
    picture = _picture(simulated)
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            said_of(["walk"]),
            f"Pages as `python -m evidence.study make` makes them (seed {SEED}), of {walks.name} alone. "
            "No person was asked. "
            f"Simulated raters have a level of their own (deviation {OWN:g} points) and score with chance (deviation "
            f"{CHANCE:g}); they are told to score ours {APART['repetitive']:g} points less repetitive and no less "
            f"natural: what they say shows that the analysis works, and nothing about motions. {studies} simulated "
            "studies each.",
        ),
        tables=(
            _settings(pages), _published_table(), _pages_table(pages), _simulated_table(simulated),
            _repeats_table(repeats),
        ),
        differences=_differences(simulated, repeats, studies),
        pictures=(f"{NAME}.png",),
    )  # fmt: skip
    return Result(report, {f"{NAME}.png": picture})


def _page(experiment: Experiment, model: VariationModel) -> tuple[int, Key]:
    """Write a study to a folder that is gone afterwards; return how large its page is, and its key as read back."""
    rng = np.random.default_rng(SEED)
    pools = {kind: clips_of_model(model, kind, experiment, CLIPS // 2 + 1, rng) for kind in experiment.conditions}
    if "real" in pools:  # captures that the model has not seen
        unseen = inputs_of("walk").others
        pools["real"] = [StudyClip(item.name, "real", item.motion) for item in unseen[: CLIPS // 2 + 1]]
    study = make_study(experiment, pools, participants=PEOPLE, seed=SEED)
    with TemporaryDirectory() as folder:
        page, key = write_study(study, Path(folder))
        return page.stat().st_size, read_key(key)


def _simulated(experiment: Experiment, key: Key, studies: int) -> Simulated:
    found = [
        analyse(experiment, key, _answers(experiment, key, np.random.default_rng((SEED, number))))
        for number in range(studies)
    ]
    return Simulated(found[0], float(np.mean([one.anova.p < SIGNIFICANT for one in found])))


def _answers(experiment: Experiment, key: Key, rng: np.random.Generator) -> list[Answers]:
    """Return what simulated raters say; every clip of a kind is the same to them."""
    answers = []
    for number, order in enumerate(key.orders[:PEOPLE]):
        level = rng.normal(5.5, OWN)
        given = []
        for clip in order:
            lower = APART[experiment.name] if key.clips[clip].condition == OURS else 0.0
            score = int(np.clip(round(level - lower + rng.normal(0.0, CHANCE)), LOWEST, HIGHEST))
            given.append(Answer(clip=clip, score=score, plays=1, seconds=2.0))
        answers.append(
            Answers(gambol_study=1, study=key.study, experiment=key.experiment, participant=number + 1, began="",
                    ended="", answers=given)
        )  # fmt: skip
    return answers


def _repeats(model: VariationModel) -> dict[str, tuple[int, int]]:
    """Return how many clips of a long sequence are there again: of variants, and of cycle animation."""
    cycles = cycle_animation(model.examples, np.random.default_rng(SEED), count=LEAST_CLIPS).cycles()
    new = [shape(model.sample(seed).motion) for seed in range(LEAST_CLIPS)]
    found = {"variants": repetition(new), "cycle animation": repetition([shape(cycle) for cycle in cycles])}
    return {name: (one.repeats, one.cycles) for name, one in found.items()}


def _settings(pages: Mapping[str, tuple[int, Key]]) -> Table:
    scores = f"{LOWEST} to {HIGHEST}"
    seen = {name: len(key.clips) for name, (_, key) in pages.items()}
    return setting_table([
        ("experiments", len(pages), "l09.c5.study.experiments"),
        ("kinds of motion in either", 1, "l09.c5.study.motions"),
        ("A: motions that each person sees", seen["natural"], "l09.c5.study.a.clips"),
        ("A: scores", scores, "l09.c5.study.a.scores"),
        ("A: people (ours are simulated)", PEOPLE, "l09.c5.study.a.people"),
        ("A: scores given", PEOPLE * seen["natural"], "l09.c5.study.a.total"),
        ("B: clips in a long sequence", LEAST_CLIPS, "l09.c5.study.b.sequence"),
        ("B: inputs of cycle animation", len(inputs_of("walk").four), "l09.c5.study.b.inputs"),
        ("B: sequences that each person sees", seen["repetitive"], "l09.c5.study.b.clips"),
        ("B: scores", scores, "l09.c5.study.b.scores"),
        ("B: people (ours are simulated)", PEOPLE, "l09.c5.study.b.people"),
        ("B: scores given", PEOPLE * seen["repetitive"], "l09.c5.study.b.total"),
    ], note="Of walks alone: of cheering there are no captures but those that a model is learned from.")  # fmt: skip


def _published_table() -> Table:
    rows: list[Row] = []
    for letter, what in (("a", "as natural as captures"), ("b", "as repetitive as cycle animation")):
        for motion in ("cheering", "walk"):
            rows.append(
                row(f"{letter.upper()}, {motion}: p that variants are {what}", [NOT_RUN],
                    [claim(f"l09.c5.study.{letter}.p.{motion}")])
            )  # fmt: skip
    note = "A study needs people, whom a program cannot ask; `python -m evidence.study` helps those who can."
    return Table(PUBLISHED, ("p of the analysis of variance",), tuple(rows), note)


def _pages_table(pages: Mapping[str, tuple[int, Key]]) -> Table:
    rows = [
        row(
            name, [size / 1e6, len(key.clips), len(key.orders), float(np.mean([c.seconds for c in key.clips.values()]))]
        )
        for name, (size, key) in pages.items()
    ]
    return Table(PAGES, ("MB of the page", "motions", "orders", "mean seconds of a motion"), tuple(rows))


def _simulated_table(simulated: Mapping[str, Simulated]) -> Table:
    rows = []
    for name, one in simulated.items():
        ours, other = one.findings.kinds
        by_person = one.findings.by_person
        rows.append(
            row(f"{name} (simulated)", [APART[name], ours.mean.mean, other.mean.mean, one.findings.anova.p,
                                        None if by_person is None else by_person.p, 100.0 * one.found])
        )  # fmt: skip
    columns = (
        "points apart, as told",
        "mean of ours",
        "of the other",
        "p",
        "p, person by person",
        "% of studies, p < 0.05",
    )
    note = (
        "Simulated, no person was asked: the first of the studies, and the share of all of them that finds a "
        "difference."
    )
    return Table(SIMULATED, columns, tuple(rows), note)


def _repeats_table(repeats: Mapping[str, tuple[int, int]]) -> Table:
    rows = [row(name, list(values)) for name, values in repeats.items()]
    return Table(
        REPEATED, ("clips that are there again", "clips"), tuple(rows), "Within 1 mm, on the root mean square."
    )


def _differences(
    simulated: Mapping[str, Simulated], repeats: Mapping[str, tuple[int, int]], studies: int
) -> tuple[str, ...]:
    natural, repetitive = simulated["natural"], simulated["repetitive"]
    return (
        "Whether people find our variants as natural as captures, and less repetitive than cycle animation, is not "
        "known: the published p stand beside nothing of ours.",
        f"On simulated raters the analysis finds a difference that is not there in {100.0 * natural.found:.0f} % of "
        f"{studies} studies, and one of {APART['repetitive']:g} points in {100.0 * repetitive.found:.0f} %.",
        f"By measure {repeats['variants'][0]} of {repeats['variants'][1]} variants are there again, and "
        f"{repeats['cycle animation'][0]} of {repeats['cycle animation'][1]} clips of cycle animation.",
    )


def _picture(simulated: Mapping[str, Simulated]) -> Picture:
    """Return how often each score was given, by simulated raters."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    page = Figure(figsize=(9.0, 3.4), dpi=DPI, facecolor="white", layout="constrained")
    places = np.arange(LOWEST, HIGHEST + 1)
    for number, (name, one) in enumerate(simulated.items()):
        axes = page.add_subplot(1, 2, number + 1)
        for shift, kind, color in zip((-0.2, 0.2), one.findings.kinds, (INK, PALE), strict=True):
            counts = np.bincount(kind.scores.astype(np.intp), minlength=HIGHEST + 1)[LOWEST:]
            axes.bar(places + shift, counts / counts.sum(), 0.38, color=color, label=kind.condition)
        axes.set_xticks(places)
        axes.set_title(f"{name}: simulated raters, no people (p = {one.findings.anova.p:.2g})", fontsize=9)
        axes.set_xlabel("score", fontsize=8)
        axes.set_ylabel("share of scores", fontsize=8)
        axes.tick_params(labelsize=8)
        axes.legend(fontsize=8, frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
    canvas = FigureCanvasAgg(page)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


ITEM = Item(NAME, "the study with people: pages made, analysis tried on simulated raters; not run", run)

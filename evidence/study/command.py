"""`python -m evidence.study`: experiments in which people say how natural, or how repetitive, motions look."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from evidence.study.analysis import analyse
from evidence.study.clips import StudyClip, clips_of_model, read_clips
from evidence.study.experiments import CLIPS, EXPERIMENTS, Experiment, experiment_named
from evidence.study.key import read_answers, read_key
from evidence.study.study import FEWEST_SEEN, MOST_SEEN, PARTICIPANTS, check_folder, make_study, write_study
from gambol.cli.options import JsonOption, TposeOption, parse_unit
from gambol.cli.waiting import Say, progress_bar
from gambol.errors import InvalidInput
from gambol.files import ReadOptions
from gambol.variation import read_model

MOST_LONGER = 1.25  # times as long is seen at once

app = typer.Typer(help="Ask people how natural or repetitive motions look.", no_args_is_help=True)


@app.command()
def make(
    experiment: Annotated[str, typer.Option(help=f"What is asked: {', '.join(EXPERIMENTS)}.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="Folder to write to.")],
    ours: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of variants, or of long sequences of them.")
    ] = None,
    real: Annotated[Path | None, typer.Option(metavar="DIR", help="natural: folder of captured motions.")] = None,
    cycles: Annotated[
        Path | None, typer.Option(metavar="DIR", help="repetitive: folder of long sequences of a few clips.")
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A model of variation, which makes whatever no folder is named for."),
    ] = None,
    clips: Annotated[
        int, typer.Option(min=FEWEST_SEEN, max=MOST_SEEN, help="How many motions each person sees.")
    ] = CLIPS,
    participants: Annotated[int, typer.Option(help="How many people may take part.")] = PARTICIPANTS,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Of what is chosen, named and ordered by chance; by default nobody can guess it."),
    ] = None,
    unit: Annotated[str | None, typer.Option(help="Unit of the files: auto, m, cm, mm, inch, cmu or metres.")] = None,
    t_pose: TposeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a page on which people rate motions from 1 to 9, and a key that says what they saw.

    The page is one file, works without a network and sends nothing anywhere; it does not say which motion is of which
    kind.  Give key.json to nobody.
    """
    asked = experiment_named(experiment)
    folders = {"ours": ours, "real": real, "cycles": cycles}
    for name, folder in folders.items():
        if folder is not None and name not in asked.conditions:
            raise InvalidInput(
                f"--{name} has no place in the experiment {asked.name!r}, which compares ours with {asked.other}"
            )
    check_folder(out)
    options = ReadOptions(unit=parse_unit(unit), t_pose=t_pose)
    with progress_bar(hidden=as_json) as say:
        pools = _pools(asked, {name: folders[name] for name in asked.conditions}, model, clips, seed, options, say)
        say("writing the page", 0.0)
        study = make_study(asked, pools, count=clips, participants=participants, seed=seed)
        page, key = write_study(study, out)
    seconds = {
        name: [clip["seconds"] for clip in study.key["clips"].values() if clip["condition"] == name]
        for name in asked.conditions
    }
    notes = _telltales(seconds)
    if as_json:
        counts = {name: len(each) for name, each in seconds.items()}
        typer.echo(json.dumps({
            "study": study.key["study"], "page": str(page), "key": str(key), "motions": counts, "notes": notes,
        }))  # fmt: skip
        return
    for note in notes:
        typer.echo(f"note: {note}", err=True)
    said = (f"{len(each)} {name}, {min(each):.1f} to {max(each):.1f} s" for name, each in seconds.items())
    typer.echo(f"{clips} motions: {'; '.join(said)}")
    typer.echo(f"{page}: for up to {participants} people, each with a number from 1 on")
    typer.echo(f"{key}: keep it to yourself; `python -m evidence.study read` needs it")


@app.command()
def read(
    answers: Annotated[list[Path], typer.Argument(metavar="ANSWERS...", help="Files that people saved on the page.")],
    key: Annotated[Path, typer.Option(metavar="FILE", help="The key that was written with the page.")],
    as_json: JsonOption = False,
) -> None:
    """Check the answers, and compare both kinds of motion: means with intervals, analysis of variance."""
    opened = read_key(key)
    findings = analyse(EXPERIMENTS[opened.experiment], opened, read_answers(answers, opened))
    typer.echo(json.dumps(findings.as_dict()) if as_json else findings.describe())


def _telltales(seconds: dict[str, list[float]]) -> list[str]:
    """Say by what people could tell kinds, or why few of a kind weaken the study."""
    notes = []
    few, many = sorted(seconds, key=lambda name: len(seconds[name]))
    if len(seconds[many]) > len(seconds[few]) + 1:
        notes.append(f"there are only {len(seconds[few])} motions of the kind {few!r}: {many!r} make up for the rest")
    brief, long = sorted(seconds, key=lambda name: max(seconds[name]))
    if min(seconds[long]) > MOST_LONGER * max(seconds[brief]):
        notes.append(f"all of {long!r} last longer than any of {brief!r}: people can tell them by that; cut them alike")
    return notes


def _pools(
    experiment: Experiment,
    folders: dict[str, Path | None],
    model: Path | None,
    count: int,
    seed: int | None,
    options: ReadOptions,
    say: Say,
) -> dict[str, list[StudyClip]]:
    missing = [name for name, folder in folders.items() if folder is None]
    if missing and model is None:
        raise InvalidInput(
            f"no motions of the kind {missing[0]!r}: name a folder (--{missing[0]}) or a model (--model)"
        )
    if model is not None and not missing:
        raise InvalidInput("folders are named for both kinds: leave out --model")
    opened = read_model(model) if model is not None else None
    rng = np.random.default_rng(seed)
    pools = {}
    for name in reversed(experiment.conditions):  # so many of ours are made as are needed beside the others
        folder = folders[name]
        if folder is not None:
            say(f"reading {folder}", 0.0)
            pools[name] = read_clips(folder, name, options=options)
        else:
            assert opened is not None
            needed = max(-(-count // 2), count - len(pools.get(experiment.other, ())) if pools else 0)
            pools[name] = clips_of_model(opened, name, experiment, needed, rng, progress=say)
    return pools

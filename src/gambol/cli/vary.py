"""`gambol vary`: new motions that vary as a few similar ones do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from gambol.cli.options import JsonOption, TposeOption, parse_unit
from gambol.cli.progress import Say, progress_bar
from gambol.cli.vary_output import FORMS, Made, check_targets, deliver
from gambol.errors import InvalidInput
from gambol.extras import check_extra
from gambol.files.formats import ReadOptions
from gambol.motion.skeleton import same_bones
from gambol.variation.cuts import are_cyclic, parse_cut, read_examples
from gambol.variation.examples import RATE_HZ, Example, gather
from gambol.variation.file import SUFFIX, read_model
from gambol.variation.model import DEFAULT_PRESET, MOST_AMOUNT, PRESETS, Variant, VariationModel, checked_amount, learn
from gambol.variation.report import report_on
from gambol.variation.screening import Screening, screen

NONE_FIT = 1  # exit code
FEWEST = 2  # examples: one alone does not say how it varies
USUAL = 4  # "the smallest number that gives good results" [L09 5.6.1]
MOST_VARIANTS = 10_000
FASTEST_HZ = 1000.0

_LEARN = "What is learned from"
_MAKE = "What is made"
_WRITE = "What is written"


def vary(
    clips: Annotated[
        list[str],
        typer.Argument(
            metavar="CLIP",
            help="Similar motions: files, or cuts of files as FILE@first-last or FILE@first-last,first-last, with "
            "frames counted as in the file.  Or one model that --model saved.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="DIR", rich_help_panel=_WRITE, help="Folder to write to.")
    ],
    count: Annotated[
        int, typer.Option("-n", "--count", rich_help_panel=_MAKE, help="Number of variants to make.")
    ] = 15,
    preset: Annotated[
        str,
        typer.Option(
            rich_help_panel=_LEARN,
            help=f"How to learn: {', '.join(PRESETS)} (aligned in time; the thesis's network kept inside the data; the "
            "network as printed).",
        ),
    ] = DEFAULT_PRESET,
    amount: Annotated[
        float,
        typer.Option(
            rich_help_panel=_MAKE,
            help=f"Amount of variation: 0 is the mean motion, 1 varies as the clips, up to {MOST_AMOUNT:g}.",
        ),
    ] = 1.0,
    seed: Annotated[
        int,
        typer.Option(
            min=0, rich_help_panel=_MAKE, help="Seed of the first variant; the others have the following seeds."
        ),
    ] = 0,
    cyclic: Annotated[
        bool | None,
        typer.Option(
            "--cyclic/--not-cyclic",
            rich_help_panel=_LEARN,
            help="Whether each clip ends where another may begin; by default this is found out.",
        ),
    ] = None,
    stream: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", rich_help_panel=_MAKE, help="Make each variant a stream of new cycles of this length."
        ),
    ] = None,
    of: Annotated[
        str | None,
        typer.Option(
            metavar="CLIP",
            rich_help_panel=_MAKE,
            help="Make variants of this one clip, with what was learned from the others.",
        ),
    ] = None,
    constraints: Annotated[
        bool,
        typer.Option(
            "--constraints/--no-constraints",
            rich_help_panel=_MAKE,
            help="Keep planted feet and hands in place (by default), or not.",
        ),
    ] = True,
    hold: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JOINT",
            rich_help_panel=_LEARN,
            help="A joint that moves as in one of the clips, while the others vary; may be repeated.",
        ),
    ] = None,
    screen_by: Annotated[
        list[str] | None,
        typer.Option(
            "--screen",
            metavar="CLIP",
            rich_help_panel=_LEARN,
            help="A clip that is known to fit; at least four are needed, eight are better; may be repeated.  Clips to "
            "learn from that do not fit these are left out.",
        ),
    ] = None,
    rate: Annotated[
        float,
        typer.Option(metavar="HZ", rich_help_panel=_LEARN, help="Frames a second of learning and of the variants."),
    ] = RATE_HZ,
    unit: Annotated[
        str | None,
        typer.Option(
            rich_help_panel=_LEARN, help="Unit of the files: auto, m, cm, mm, inch, cmu or metres as a number."
        ),
    ] = None,
    true_rate: Annotated[
        float | None, typer.Option(rich_help_panel=_LEARN, help="The true rate, if the files state a wrong one.")
    ] = None,
    t_pose: TposeOption = None,
    form: Annotated[
        str, typer.Option("--format", rich_help_panel=_WRITE, help=f"Format of the variants: {', '.join(FORMS)}.")
    ] = "bvh",
    model_file: Annotated[
        Path | None,
        typer.Option(
            "--model", metavar="FILE", rich_help_panel=_WRITE, help="Also save the learned model to this file."
        ),
    ] = None,
    plots: Annotated[
        bool,
        typer.Option(
            "--plots/--no-plots",
            rich_help_panel=_WRITE,
            help="Also draw plots, poses and a graph (by default), or not.",
        ),
    ] = True,
    video: Annotated[
        bool,
        typer.Option("--video", rich_help_panel=_WRITE, help="Also make a video of inputs and variants, side by side."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Learn how a few similar motions vary, and make any number of new ones.

    Writes variants, a report and plots into a folder.  If interrupted, it leaves no files.

    Exit code 0: done.  1: the test of inputs (--screen) left fewer than two.  2: the input is wrong.
    """  # fmt: skip
    check_targets(out, form, model_file)
    if plots or video:
        check_extra("pictures", "drawing plots and films (--no-plots leaves plots out)")
    if not 1 <= count <= MOST_VARIANTS:
        raise InvalidInput(f"-n must be from 1 to {MOST_VARIANTS}, not {count}")
    if not 0.0 < rate <= FASTEST_HZ:
        raise InvalidInput(f"--rate must be a number of frames a second up to {FASTEST_HZ:g}, not {rate:g}")
    checked_amount(amount)
    if stream is not None and of is not None:
        raise InvalidInput("--stream makes new cycles and --of variants of one clip; leave out either")
    if _is_model(clips):
        _check_learned_already(preset, cyclic, rate, bool(screen_by or hold))
    options = ReadOptions(unit=parse_unit(unit), rate_hz=true_rate, t_pose=t_pose)
    notes: list[str] = []
    screening = None
    with progress_bar(hidden=as_json) as say:
        model = read_model(clips[0]) if _is_model(clips) else None
        own_rate = rate if model is None else model.examples.rate_hz
        source = None if of is None else _only(_read([of], options, own_rate, say, notes))
        if model is None:
            items = _read(clips, options, rate, say, notes)
            if screen_by:
                screening = screen(_read(screen_by, options, rate, say, notes), items, seed=seed, progress=say)
                items = [items[index] for index in screening.kept]
            if len(items) < FEWEST:
                _refuse(items, screening, as_json)
            cyclic = _cyclic(items, cyclic, notes)
            _check_wanted(stream, source, cyclic, items)
            model = _learned(items, preset, cyclic, seed, hold or [], say, notes)
        else:
            _check_wanted(stream, source, model.examples.cyclic, model.examples.items)
        variants = _made(model, source, count, seed, amount, stream, constraints, say)
        report = report_on(model, variants, amount=amount)
        made = Made(model, tuple(variants), report, screening, source, tuple(notes))
        files = deliver(made, out, form=form, model_file=model_file, plots=plots, video=video, say=say)
    if as_json:
        typer.echo(json.dumps({**made.as_dict(), "files": [str(path) for path in files]}, ensure_ascii=False))
        return
    for note in notes:
        typer.echo(f"note: {note}", err=True)
    typer.echo(made.describe())
    for path in files:
        typer.echo(str(path))


def _is_model(clips: list[str]) -> bool:
    """Tell whether the clips are one model: a file that is no motion's by its name."""
    if not any(Path(clip).suffix.lower() == SUFFIX for clip in clips):
        return False
    if len(clips) > 1:
        raise InvalidInput(f"a model ({SUFFIX}) stands for all clips that it was learned from: name it alone")
    return True


def _read(clips: list[str], options: ReadOptions, rate_hz: float, say: Say, notes: list[str]) -> list[Example]:
    found = read_examples([parse_cut(clip) for clip in clips], options=options, rate_hz=rate_hz, say=say)
    notes += found.notes
    return list(found.items)


def _only(items: list[Example]) -> Example:
    if len(items) > 1:
        raise InvalidInput(f"--of takes one clip, not {len(items)}: {', '.join(item.name for item in items)}")
    return items[0]


def _check_learned_already(preset: str, cyclic: bool | None, rate_hz: float, others: bool) -> None:
    """Raise where a model is told how to learn."""
    if others or preset != DEFAULT_PRESET or cyclic is not None or rate_hz != RATE_HZ:
        raise InvalidInput(
            "--screen, --hold, --preset, --cyclic and --rate are about what is learned; a model has learned already"
        )


def _cyclic(items: list[Example], cyclic: bool | None, notes: list[str]) -> bool:
    if cyclic is not None:
        return cyclic
    if are_cyclic(items):
        notes.append("the clips end as they begin: taken as cycles (--not-cyclic if they are none)")
        return True
    notes.append("the clips end otherwise than they begin: not taken as cycles (--cyclic if they are)")
    return False


def _check_wanted(stream_s: float | None, source: Example | None, cyclic: bool, items: Sequence[Example]) -> None:
    """Raise before anything is learned from which what is wanted cannot be made."""
    if source is not None and not same_bones(source.motion.skeleton, items[0].motion.skeleton):
        raise InvalidInput(
            f"{source.name} has other bones than {items[0].name}: --of takes a clip of the same skeleton"
        )
    if stream_s is not None and not cyclic:
        raise InvalidInput(
            "--stream needs cyclic examples: each has to end where the next may begin; where they do, learn with "
            "--cyclic"
        )


def _learned(
    items: list[Example], preset: str, cyclic: bool, seed: int, hold: list[str], say: Say, notes: list[str]
) -> VariationModel:
    if len(items) < USUAL:
        notes.append(f"{len(items)} clips say little about how they vary; {USUAL} are usual")
    return learn(gather(items, cyclic=cyclic), preset=preset, seed=seed, held=hold, progress=say)


def _made(
    model: VariationModel,
    source: Example | None,
    count: int,
    seed: int,
    amount: float,
    stream_s: float | None,
    constrain: bool,
    say: Say,
) -> list[Variant]:
    """Return as many new motions as wanted."""
    variants = []
    for number in range(count):
        say("making variants", number / count)
        own = seed + number
        if source is not None:
            variants.append(model.sample_of(source, own, amount=amount, constrain=constrain))
        elif stream_s is not None:
            variants.append(model.sample_stream(stream_s, own, amount=amount, constrain=constrain))
        else:
            variants.append(model.sample(own, amount=amount, constrain=constrain))
    return variants


def _refuse(items: list[Example], screening: Screening | None, as_json: bool) -> None:
    """Say that there is too little to learn from: one's own mistake, or what the test of inputs found."""
    if screening is None:
        raise InvalidInput(
            f"{len(items)} clip alone does not say how it varies; name at least {FEWEST}, or what another one varies "
            "like: a model, and this clip with --of"
        )
    if as_json:
        typer.echo(json.dumps({"screening": screening.as_dict(), "files": []}, ensure_ascii=False))
    else:
        typer.echo(screening.describe())
        typer.echo(f"too few to learn from: at least {FEWEST} needed")
    raise typer.Exit(NONE_FIT)

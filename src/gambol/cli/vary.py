"""`gambol vary`: new motions that vary as a few similar ones do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from gambol.cli.options import JsonOption, TposeOption, parse_unit
from gambol.cli.performing import delivery_json
from gambol.cli.waiting import progress_bar
from gambol.deliver.registry import Delivery
from gambol.deliver.variants import FORMS, VariantFiles
from gambol.files.formats import ReadOptions
from gambol.stages.variants import VaryStage
from gambol.variation.examples import RATE_HZ
from gambol.variation.model import DEFAULT_PRESET, MOST_AMOUNT, PRESETS

NONE_FIT = 1  # exit code

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
        bool | None,
        typer.Option(
            "--plots/--no-plots",
            rich_help_panel=_WRITE,
            help="Also draw plots, poses and a graph (by default, if gambol[pictures] is installed), or not.",
        ),
    ] = None,
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
    files = VariantFiles(out, form.lstrip("."), model_file, plots, video)
    stage = VaryStage(
        count=count,
        amount=amount,
        seed=seed,
        preset=preset,
        cyclic=cyclic,
        stream_s=stream,
        of=of,
        constrain=constraints,
        held=hold or (),
        known=screen_by or (),
        rate_hz=rate,
        options=ReadOptions(unit=parse_unit(unit), rate_hz=true_rate, t_pose=t_pose),
    )
    with progress_bar(hidden=as_json) as say:
        performance = stage.run(clips, say)
        delivery = files.write(performance, say) if performance.is_clean else Delivery()
    if as_json:
        typer.echo(json.dumps(performance.to_json() | delivery_json(delivery), ensure_ascii=False))
    else:
        for note in (*performance.notes, *delivery.skipped):
            typer.echo(f"note: {note}", err=True)
        typer.echo(performance.describe())
        for path in delivery.files:
            typer.echo(str(path))
    if not performance.is_clean:
        raise typer.Exit(NONE_FIT)

"""Write docs/commands.md: every command with its options, from the command line; a test fails on a stale page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from gambol.cli.app import app

PAGE = Path(__file__).parent.parent / "docs" / "commands.md"
TUTORIALS = {
    "plan": "[a scene of my own](tutorials/scene.md)",
    "crowd": "[a crowd of my own](tutorials/crowd.md)",
    "climb": "[a climb of my own](tutorials/climb.md), [all about it](climb_command.md)",
    "bake": "[baking](baking.md)",
    "view": "[the viewer](viewer.md)",
    "convert": "[motions](motion.md)",
    "inspect": "[motions](motion.md)",
    "vary": "[motions that vary](tutorials/variants.md)",
    "character build": "[my first character](tutorials/first_character.md)",
    "character check": "[the check](character.md#the-check)",
    "character show": "[my first character](tutorials/first_character.md)",
    "character vary": "[motions that vary](tutorials/variants.md)",
    "tree grow": "[a search tree of my own](tutorials/tree.md)",
    "tree info": "[a search tree of my own](tutorials/tree.md)",
    "tree check": "[a search tree of my own](tutorials/tree.md)",
}
#: Keys of what `--json` prints; of `scenes`, those of each in a list.  A test asks the commands.
KEYS = {
    "demo": "scenes files skipped",
    "scenes": "name kind summary",
    "plan": "outcome scene seed characters check timings files skipped",
    "crowd": "outcome characters characters_not_listed check arrived unreachable ms_per_frame replans run statistics "
    "files skipped",
    "climb": "outcome scene seed characters check timings files skipped",
    "convert": "files frames rate_hz joints notes",
    "inspect": "frames rate_hz duration_s foot_slide_mean_cm_s foot_slide_max_cm_s ground_penetration_cm "
    "ground_height_m bone_length_drift_mm zero_root_frames contacts fastest_joint joint_peaks first_frame notes files",
    "vary": "preset amount inputs cyclic root degrees_of_freedom dropped learned dimensions_for_99_percent "
    "energy_of_variants_in_these change_rms_cm change_between_inputs_rms_cm repeats nearest_median_cm "
    "nearest_median_of_inputs_cm physical variants of screening notes files skipped",
    "character build": "name planning_rate_hz joints transitions subsets behaviors files",
    "character check": "name errors warnings findings",
    "character show": "name files",
    "tree grow": "character builder begins nodes bytes node_bytes depth mean_depth reach_m longest_s highest_cost "
    "planning_rate_hz settings notes grid behaviors seconds files",
    "tree info": "file character builder begins nodes bytes node_bytes depth mean_depth reach_m longest_s "
    "highest_cost planning_rate_hz settings notes grid behaviors files",
    "tree check": "file intact problems",
}
INTRODUCTION = """# Commands

Written from the command line by `tools/write_commands.py`; `gambol plan --help`, and so on, says the same in a
terminal. Options may stand before or after arguments.

**Exit codes** of all commands: 0, all is well. 1: the input was right and something went wrong with it, such as
somebody without a way or a check that found something; commands below say what. 2: the input is wrong, and the
message says what and where. 130: Ctrl-C ended it.

**`--json`** prints one JSON value on standard output and nothing else there. What is wrong with the input is then
`{"error": …, "where": …}`, with exit code 2. Of a scene, character or job file, `error` names all mistakes, and
`"errors": [{"error": …, "key": …, "line": …}, …]` has each on its own; `line` is null where none is known."""


def commands(command: Any = None, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all commands that do something, each with its name, in the order of the help."""
    command = command or typer.main.get_command(app)
    if not hasattr(command, "commands"):
        yield name, command
        return
    for part in command.commands:
        yield from commands(command.get_command(None, part), f"{name} {part}".strip())


def plain(text: str | None) -> str:
    """Return a text of the help as one line of a table."""
    return " ".join((text or "").split()).replace("|", "\\|")


def summary(command: Any) -> str:
    return plain(command.help).split(". ")[0].rstrip(".") + "."


def option_row(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    if option.metavar and not option.is_flag:
        names += f" {option.metavar}"
    default = option.default
    shown = (
        "" if default is None or callable(default) or default in ((), [], False) or option.required else f"{default}"
    )
    if option.is_flag and option.secondary_opts and isinstance(default, bool):
        shown = (option.opts if default else option.secondary_opts)[0].lstrip("-")
    text = plain(getattr(option, "help", "")) + (" **Required.**" if option.required else "")
    return f"| {names} | {f'`{shown}`' if shown else ''} | {text.strip()} |"


def section(name: str, command: Any) -> str:
    """Return what there is to say about one command."""
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option" and each.name != "help"]
    usage = " ".join(
        f"{word}{'...' if each.nargs == -1 else ''}" if each.required else f"[{word}]"
        for each in arguments
        for word in [(each.metavar or each.name).strip("[]{}.").upper()]
    )
    parts = [f"## gambol {name}", plain(command.help)]
    if name in TUTORIALS:
        parts.append(f"Pages: {TUTORIALS[name]}.")
    parts.append(f"```\ngambol {name} {usage} [OPTIONS]\n```".replace("  ", " "))
    rows = [f"| `{each.name.upper()}` | | {plain(getattr(each, 'help', ''))} |" for each in arguments]
    rows += [option_row(each) for each in options]
    parts.append("\n".join(["| argument or option | default | meaning |", "|---|---|---|", *rows]))
    if name in KEYS:
        parts.append("Keys of `--json`: " + ", ".join(f"`{key}`" for key in KEYS[name].split()) + ".")
    return "\n\n".join(parts)


def page() -> str:
    """Return the page of all commands."""
    found = list(commands())
    rows = [
        f"| [`gambol {name}`](#{re.sub(' ', '-', f'gambol {name}')}) | {summary(command)} |" for name, command in found
    ]
    table = "\n".join(["| command | what it does |", "|---|---|", *rows])
    return "\n\n".join([INTRODUCTION, table, *(section(name, command) for name, command in found)]) + "\n"


def pages() -> dict[Path, str]:
    """Return the page by its file, as tools of several pages do."""
    return {PAGE: page()}


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

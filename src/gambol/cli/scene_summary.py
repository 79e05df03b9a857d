"""The summary of a scene without mistakes, as text and as JSON."""

from __future__ import annotations

import json
from typing import Any

import typer

from gambol.scenes.scene import Scene


def print_scene(scene: Scene, *, as_json: bool, quiet: bool) -> None:
    """Print the contents of a scene."""
    world, around = scene.world, scene.environment
    if as_json:
        cast = [{"name": actor.name, "character": actor.character.name} for actor in scene.cast]
        about: dict[str, Any] = {
            "scene": scene.name, "kind": scene.kind, "summary": scene.summary, "characters": cast,
            "obstacles": len(world.obstacles), "movers": len(world.movers), "terrain": world.terrain is not None,
        }  # fmt: skip
        if around is not None:
            about["climbers"] = [climb.name for climb in scene.climbs]
            about |= {"polygons": len(around.polygons), "grasp_points": len(around.grasp_points)}
        typer.echo(json.dumps(about, ensure_ascii=False))
    elif not quiet and around is not None:
        typer.echo(
            f"{scene.name}: nothing is wrong; {_counted(len(scene.climbs), 'climber')}, "
            f"{_counted(len(around.polygons), 'polygon')}, {_counted(len(around.grasp_points), 'grasp point')}"
        )
    elif not quiet:
        ground = "hilly" if world.terrain is not None else "level"
        typer.echo(
            f"{scene.name}: nothing is wrong; {len(scene.cast)} characters, {len(world.obstacles)} obstacles, "
            f"{len(world.movers)} movers, {ground} ground"
        )


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"

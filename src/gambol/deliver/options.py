"""What a user may ask of files: one set of options, of which each writer takes what concerns it."""

from __future__ import annotations

from dataclasses import dataclass

from gambol.errors import InvalidInput, UnknownName

PLANE = "plane"
VIEWS = (PLANE, "side", "three-quarter")


@dataclass(frozen=True)
class WriteOptions:
    """How files are written.

    only: of a crowd, the names of the characters whose motions and rows are written; empty: everyone's.
    table_rate_hz: rows a second and character of tables; more than 0.
    instanced: whether USD files describe each kind of character of a crowd once; False for programs that cannot
    take instances.
    video_rate_hz: frames a second of videos of plans; more than 0.
    view: of videos of climbs: "plane" shows the planar figure among grasp points, "side" and "three-quarter" show
    the full body.
    """

    only: tuple[str, ...] = ()
    table_rate_hz: float = 10.0
    instanced: bool = True
    video_rate_hz: float = 30.0
    view: str = PLANE

    def __post_init__(self) -> None:
        if not self.table_rate_hz > 0.0:
            raise InvalidInput(f"a table needs more than 0 rows a second, not {self.table_rate_hz:g}")
        if not self.video_rate_hz > 0.0:
            raise InvalidInput(f"a video needs more than 0 frames a second, not {self.video_rate_hz:g}")
        if self.view not in VIEWS:
            raise UnknownName("view", self.view, VIEWS)

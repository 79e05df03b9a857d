"""What a crowd has done so far, and what that took."""

from __future__ import annotations

from dataclasses import dataclass, field

STAGES = ("advance", "errands", "routes", "propose", "commit")  # of a planning frame, in their order
NO_TIME: dict[str, float] = dict.fromkeys(STAGES, 0.0)


@dataclass
class CrowdStatistics:
    """What a crowd has done so far."""

    frames: int = 0
    look_ups: int = 0  # proposals asked for
    committed: int = 0
    lost: int = 0  # proposals that another one's came before
    not_found: int = 0
    tests: int = 0  # clips looked at
    routes: int = 0
    arrivals: int = 0
    most_look_ups: int = 0  # in one frame
    seconds: dict[str, float] = field(default_factory=NO_TIME.copy)  # by stage

    @property
    def ms_per_frame(self) -> float:
        return 1000.0 * sum(self.seconds.values()) / max(self.frames, 1)

"""A motion that is played, with its quality report."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gambol.geometry.arrays import FloatArray, frozen
from gambol.motion.contacts import Contacts, detect_contacts, point_positions
from gambol.motion.motion import Motion
from gambol.motion.quality import Quality, measure_quality
from gambol.pictures.quality_tracks import Tracks, measure_tracks
from gambol.view.play.recorded import frame_at


@dataclass(frozen=True, eq=False)
class Measured:
    """A motion, the time at which it begins, and its quality report."""

    motion: Motion
    start_s: float
    contacts: Contacts
    quality: Quality

    @classmethod
    def of(cls, motion: Motion, start_s: float = 0.0) -> Measured:
        contacts = detect_contacts(motion)
        return cls(motion, start_s, contacts, measure_quality(motion, contacts=contacts))

    @cached_property
    def tracks(self) -> Tracks:
        return measure_tracks(self.motion, self.contacts)

    @cached_property
    def points(self) -> FloatArray:
        """The places (F, P, 3) of the points that may rest on the ground."""
        return frozen(point_positions(self.motion, self.contacts.points))

    def frame(self, time_s: float) -> int:
        return frame_at(self.motion, time_s - self.start_s)

    def is_there(self, time_s: float) -> bool:
        late_s = 0.5 / self.motion.rate_hz
        return self.start_s - late_s <= time_s <= self.start_s + self.motion.duration_s + late_s

    def resting(self, time_s: float) -> list[str]:
        """Return the names of the points that rest on the ground at a time."""
        if not self.is_there(time_s):
            return []
        planted = self.contacts.planted[self.frame(time_s)]
        return [
            point.name.replace("_", " ") for point, rests in zip(self.contacts.points, planted, strict=True) if rests
        ]

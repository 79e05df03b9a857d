"""What happens in a crowd beside walking."""

from __future__ import annotations

from typing import NamedTuple

NOBODY = -1


class Event(NamedTuple):
    """Something worth telling: an edit of the world, a touch it brought, someone who cannot get where they want."""

    frame: int  # planning frame
    kind: str  # a short word to count by
    who: int  # number of the character concerned, or NOBODY
    what: str  # for people

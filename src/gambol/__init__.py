"""Gambol plans how characters move, and hands over the finished animation.

The names here are those most programs need; the rest is found where its name says
(`gambol.motion.edits`, `gambol.io.bvh`, ...).
"""

from gambol.errors import GambolError
from gambol.io.formats import ReadOptions, read_motion, write_motion
from gambol.io.reading import Reading
from gambol.motion.body import Body
from gambol.motion.contacts import Contacts, detect_contacts
from gambol.motion.foot_skate import remove_foot_skate
from gambol.motion.mirror import mirror
from gambol.motion.motion import Motion
from gambol.motion.quality import Quality, measure_quality
from gambol.motion.retarget import retarget
from gambol.motion.skeleton import Skeleton

__all__ = [
    "Body",
    "Contacts",
    "GambolError",
    "Motion",
    "Quality",
    "ReadOptions",
    "Reading",
    "Skeleton",
    "detect_contacts",
    "measure_quality",
    "mirror",
    "read_motion",
    "remove_foot_skate",
    "retarget",
    "write_motion",
]

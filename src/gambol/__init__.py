"""Gambol plans how characters move, and hands over the finished animation.

The names here are those most programs need; the rest is found where its name says
(`gambol.motion.edits`, `gambol.io.bvh`, ...).
"""

from gambol.character.builtin import builtin_character
from gambol.character.character import Character
from gambol.character.file import load_character
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
from gambol.synthesis.realize import realize

__all__ = [
    "Body",
    "Character",
    "Contacts",
    "GambolError",
    "Motion",
    "Quality",
    "ReadOptions",
    "Reading",
    "Skeleton",
    "builtin_character",
    "detect_contacts",
    "load_character",
    "measure_quality",
    "mirror",
    "read_motion",
    "realize",
    "remove_foot_skate",
    "retarget",
    "write_motion",
]

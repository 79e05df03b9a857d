# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.characters.action_table import ActionTable as ActionTable
from gambol.characters.action_table import compile_actions as compile_actions
from gambol.characters.blended_shape import include_blending as include_blending
from gambol.characters.character import Annotation as Annotation
from gambol.characters.character import Behavior as Behavior
from gambol.characters.character import Character as Character
from gambol.characters.character import DEFAULT_WEIGHTS as DEFAULT_WEIGHTS
from gambol.characters.character import Transition as Transition
from gambol.characters.check import check_character as check_character
from gambol.characters.check_clips import mean_slide as mean_slide
from gambol.characters.clearance import highest_hurdle as highest_hurdle
from gambol.characters.clearance import lowest_beam as lowest_beam
from gambol.characters.clip import Clip as Clip
from gambol.characters.clip import PARTS as PARTS
from gambol.characters.clip import SweptShape as SweptShape
from gambol.characters.file import parse_character as parse_character
from gambol.characters.step import Step as Step
from gambol.characters.step import check_steps as check_steps
from gambol.characters.step import clip_of as clip_of
from gambol.characters.step import place_steps as place_steps
from gambol.characters.store import character_bytes as character_bytes
from gambol.characters.store import load_character as load_character
from gambol.characters.store import parse_built as parse_built
from gambol.characters.store import write_character as write_character
from gambol.characters.swept_shape import part_segments as part_segments

"""The built-in skateboarder: the built-in human on a board, in regular stance, at 2.5 m/s."""

from tools.authoring.skateboarder.states import (
    skateboarder_character as skateboarder_character,
)
from tools.authoring.skateboarder.states import (
    skateboarder_clips as skateboarder_clips,
)

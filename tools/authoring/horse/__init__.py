"""The built-in horse: withers 1.55 m high, a right-lead gallop at 9 m/s."""

from tools.authoring.horse.states import horse_character as horse_character
from tools.authoring.horse.states import horse_clips as horse_clips

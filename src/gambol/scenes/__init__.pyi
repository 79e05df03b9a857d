# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.scenes.aims import Follow as Follow
from gambol.scenes.aims import Visit as Visit
from gambol.scenes.aims import Wander as Wander
from gambol.scenes.file import load_scene as load_scene
from gambol.scenes.file import parse_scene as parse_scene
from gambol.scenes.find import ShippedScene as ShippedScene
from gambol.scenes.find import shipped_path as shipped_path
from gambol.scenes.find import shipped_scenes as shipped_scenes
from gambol.scenes.scene import Actor as Actor
from gambol.scenes.scene import Scene as Scene

# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.body.capsules import Body as Body
from gambol.body.skin import Skin as Skin
from gambol.body.skin import build_skin as build_skin

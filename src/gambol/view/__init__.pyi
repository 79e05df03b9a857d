# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.view.meshes import facing_out as facing_out
from gambol.view.tab import Tab as Tab
from gambol.view.viewer import Viewer as Viewer

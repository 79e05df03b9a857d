# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.pictures.bake_plots import Group as Group
from gambol.pictures.bake_plots import Stint as Stint
from gambol.pictures.tree_picture import shown_nodes as shown_nodes
from gambol.pictures.world_meshes import obstacle_mesh as obstacle_mesh
from gambol.pictures.world_meshes import terrain_meshes as terrain_meshes

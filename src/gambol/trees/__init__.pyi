# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.trees.audit import audit_tree as audit_tree
from gambol.trees.builders import BUILDERS as BUILDERS
from gambol.trees.cache import kept_tree as kept_tree
from gambol.trees.cheapest import grow_cheapest as grow_cheapest
from gambol.trees.choosing import grow_green_kelly as grow_green_kelly
from gambol.trees.choosing import grow_inclusion_exclusion as grow_inclusion_exclusion
from gambol.trees.choosing import grow_inner_product as grow_inner_product
from gambol.trees.choosing import grow_survivor as grow_survivor
from gambol.trees.diverse import grow_diverse as grow_diverse
from gambol.trees.exhaustive import grow_exhaustive as grow_exhaustive
from gambol.trees.file import read_tree as read_tree
from gambol.trees.file import write_tree as write_tree
from gambol.trees.look_up import Answer as Answer
from gambol.trees.look_up import Found as Found
from gambol.trees.look_up import LookUp as LookUp
from gambol.trees.planner import TreePlanner as TreePlanner
from gambol.trees.pruned import grow_pruned as grow_pruned
from gambol.trees.queries import Clutter as Clutter
from gambol.trees.queries import Query as Query
from gambol.trees.queries import QuerySet as QuerySet
from gambol.trees.queries import square_region as square_region
from gambol.trees.region import Region as Region
from gambol.trees.roots import trees_for as trees_for
from gambol.trees.surviving import grow_surviving as grow_surviving
from gambol.trees.tree import SearchTree as SearchTree

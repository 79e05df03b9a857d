# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.geometry.arrays import BoolArray as BoolArray
from gambol.geometry.arrays import FloatArray as FloatArray
from gambol.geometry.arrays import Int32Array as Int32Array
from gambol.geometry.arrays import Int64Array as Int64Array
from gambol.geometry.planar import compose as compose
from gambol.geometry import planar as planar
from gambol.geometry import quaternion as quaternion

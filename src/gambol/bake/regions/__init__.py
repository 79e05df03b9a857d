"""Big crowds split in space, their regions here or in Ray actors."""

from gambol.bake.regions.perform import ACTORS, perform_split_crowd
from gambol.bake.regions.ray_host import RayHost

__all__ = ["ACTORS", "RayHost", "perform_split_crowd"]

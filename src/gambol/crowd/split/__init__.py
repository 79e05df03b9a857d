"""Big crowds split in space, their regions here or in Ray actors."""

from gambol.crowd.split.ray_host import RayHost

__all__ = ["RayHost"]

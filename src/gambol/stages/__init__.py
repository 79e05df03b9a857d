"""From a scene to motions, one module for each kind of scene."""

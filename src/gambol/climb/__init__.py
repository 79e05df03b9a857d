"""The grasp-based climber: a planar figure that walks, climbs, swings and crawls over grasp points [KP00]."""

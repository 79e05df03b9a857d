"""Our own model of variation: motions laid over each other in time, and how they then differ in shape and in timing."""

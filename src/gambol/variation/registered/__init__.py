"""Our own model of variation: lay motions over each other in time, and learn how they differ in shape and timing."""

"""Few motions into many: models learned from a handful of similar takes."""

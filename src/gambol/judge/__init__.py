"""What is wrong with delivered motion, found independently of all planners."""

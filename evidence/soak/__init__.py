"""Long runs that look for what tests of seconds cannot find; see README.md."""

"""Characters: clips of motion, grouped into behaviors that may follow one another."""

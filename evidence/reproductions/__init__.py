"""Published tables and figures, measured again: one small module for each, all of one shape (`item.py`)."""

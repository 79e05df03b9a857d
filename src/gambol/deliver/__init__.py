"""Files of what was performed, each by its suffix."""

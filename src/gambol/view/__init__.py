"""The viewer and scene editor, in a browser."""

from gambol.extras import check_extra

check_extra("view", "the viewer")

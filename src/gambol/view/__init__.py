"""The viewer and scene editor, in a browser."""

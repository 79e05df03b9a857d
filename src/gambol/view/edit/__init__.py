"""The tab "Edit": a scene's text, the things in it, and how they are drawn and changed."""

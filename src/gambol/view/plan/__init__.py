"""The tab "Plan": one character, its plan, and what can be dragged."""

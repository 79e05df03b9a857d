"""From steps to motion."""

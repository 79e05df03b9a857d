"""What the tab "Climb" is made of."""

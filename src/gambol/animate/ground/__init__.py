"""How a figure animated on level ground stands on ground that rises and falls."""

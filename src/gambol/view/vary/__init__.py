"""What the tab "Vary" shows and does."""

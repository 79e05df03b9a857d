"""Measure published numbers again: `python -m evidence.reproductions`."""

from evidence.reproductions.command import app
from gambol.cli.app import main

main(app)

"""Make and read studies in which people rate motions: `python -m evidence.study`."""

from evidence.study.command import app
from gambol.cli.app import main

main(app)

"""`python -m gambol`."""

from gambol.cli.app import main

main()

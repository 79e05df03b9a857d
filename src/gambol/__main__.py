"""The `gambol` command, and `python -m gambol`."""

from __future__ import annotations

from gambol.cli.loading import loading


def main() -> None:
    """Load the command line and run it."""
    with loading():
        from gambol.cli.app import main as run
    run()


if __name__ == "__main__":
    main()

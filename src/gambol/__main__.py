"""The `gambol` command, and `python -m gambol`."""

from __future__ import annotations

import os

from gambol.cli.waiting import loading


def main() -> None:
    """Load the command line and run it."""
    # Else the library that checks files looks through all that is installed for plug-ins of its own, which takes long.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    with loading():
        from gambol.cli.app import main as run
    run()


if __name__ == "__main__":
    main()

"""The `gambol` command, and `python -m gambol`."""

from __future__ import annotations

import atexit
import os
import signal

from gambol.cli.waiting import INTERRUPTED, loading


def main() -> None:
    """Load the command line and run it."""
    # Else the library that checks files looks through all that is installed for plug-ins of its own, which takes long.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)  # what is done cannot be stopped any more
    try:
        with loading():
            from gambol.cli.app import main as run
        run()
    except KeyboardInterrupt:  # just before the command line heeds it itself
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":
    main()

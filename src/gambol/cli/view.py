"""`gambol view`: view and edit scenes in a browser."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

if TYPE_CHECKING:
    from gambol.view.viewer import Viewer

LONGEST_S = 3600.0  # s, > 0: the longest wait at once while browsers are served


def view(
    scene: Annotated[
        str | None,
        typer.Argument(
            metavar="SCENE",
            show_default=False,
            help="A scene file, a name that `gambol scenes` lists, a motion, a recording of a crowd or a model of "
            "variation; by default a gallery opens.",
        ),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0: any free port.")] = 8080,
    host: Annotated[str, typer.Option(help="Address to listen on; any other than this machine's own is public.")] = (
        "127.0.0.1"
    ),
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser, only print the link.")] = False,
    folder: Annotated[
        Path, typer.Option(metavar="DIR", help="The only folder in which files are read and written.")
    ] = Path(),
) -> None:
    """View scenes, drag things, run crowds and edit scene files in a browser.  Ctrl-C ends it."""
    from gambol.view.server import is_local
    from gambol.view.viewer import Viewer, read_source

    source = None if scene is None else read_source(scene)
    logging.getLogger("websockets.server").setLevel(logging.CRITICAL)  # malformed requests are refused silently
    if not is_local(host):
        Console(stderr=True, highlight=False, soft_wrap=True).print(
            f"[bold yellow]warning:[/] whoever can reach {escape(host)} can use this viewer, "
            f"and write files in {escape(str(folder.resolve()))}"
        )
    viewer = Viewer(host=host, port=port, folder=folder)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends it as Ctrl-C does
    try:
        with contextlib.suppress(KeyboardInterrupt):
            typer.echo(f"{viewer.address}  (Ctrl-C ends it)")
            if not no_open and _has_screen():
                webbrowser.open(viewer.address)
            viewer.choose() if source is None else viewer.present(source)
            _wait_for_the_end()
    finally:
        _close(viewer)


def _has_screen() -> bool:
    """Return whether a browser can open a window; otherwise a text browser would fill the terminal."""
    return sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def _wait_for_the_end() -> None:
    """Wait until the keyboard or a signal ends the process."""
    ended = threading.Event()
    while not ended.wait(LONGEST_S):
        pass


def _close(viewer: Viewer) -> None:
    with contextlib.suppress(KeyboardInterrupt):  # a second Ctrl-C ends at once
        viewer.close()

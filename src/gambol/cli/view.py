"""`gambol view`: the viewer and scene editor, in a browser."""

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

LONGEST_S = 3600.0  # between two looks at the clock, while browsers are served


def view(
    scene: Annotated[
        str | None,
        typer.Argument(
            metavar="SCENE",
            show_default=False,
            help="A scene file, a name that `gambol scenes` lists, a motion, a recording of a crowd or a model of "
            "variation; without it there is a choice.",
        ),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen; 0: any port that is free.")] = 8080,
    host: Annotated[str, typer.Option(help="The address to listen on; others than this machine's own are public.")] = (
        "127.0.0.1"
    ),
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser; the link is printed.")] = False,
    folder: Annotated[
        Path, typer.Option(metavar="DIR", help="The only folder in which files are read and written.")
    ] = Path(),
) -> None:
    """Look at scenes, drag things about, run crowds and edit scene files, in a browser.  Ctrl-C ends it."""
    from gambol.view.server import is_local
    from gambol.view.viewer import Viewer, read_source

    source = None if scene is None else read_source(scene)
    logging.getLogger("websockets.server").setLevel(logging.CRITICAL)  # who sends rubbish is turned away in silence
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
    """Tell whether a browser can be opened in a window; without one, a terminal would be filled with text."""
    return sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def _wait_for_the_end() -> None:
    """Wait until the process is told to end, from the keyboard or otherwise."""
    ended = threading.Event()
    while not ended.wait(LONGEST_S):
        pass


def _close(viewer: Viewer) -> None:
    with contextlib.suppress(KeyboardInterrupt):  # once more, by who cannot wait
        viewer.close()

"""Playing motions and recordings of crowds, with quality reports."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import viser

from gambol.errors import FileProblem, GambolError, InvalidInput
from gambol.files.disk import MAX_BYTES
from gambol.motion.motion import Motion
from gambol.view.folder import Folder
from gambol.view.play.curves import curves_html, mark_html, numbers
from gambol.view.play.measured import Measured
from gambol.view.play.player import Player
from gambol.view.play.recorded import SUFFIXES, Recorded, of_motions, read_recorded
from gambol.view.play.timeline import Clock, Timeline
from gambol.view.tab import Film, Tab
from gambol.view.viewer import PLAY, Viewer
from gambol.view.words import RED, paragraph
from gambol.world.world import World

NO_FILE: str = "–"  # stands for no file in a list
BACK, NEXT = "Back", "Next"  # labels of the buttons that go a frame back and ahead
MOST_OFFERED = 500  # >= 1: names in a drop-down list; larger: slower to open
UPLOADED = "uploaded"  # name without ending of a file that came from a browser


class PlayTab(Tab):
    """A timeline over motions and recordings from the folder, from the browser's own files, or from other tabs."""

    title = PLAY
    order = 90

    def __init__(self, viewer: Viewer) -> None:
        super().__init__(viewer)
        gui, desk = viewer.gui, viewer.desk
        self._file = gui.add_dropdown("File", (NO_FILE,), hint=f"Motions and recordings in {viewer.folder.path}")
        self._again = gui.add_button("Look for files again", color="gray")
        self._upload = gui.add_upload_button("Play a file of yours", color="gray", hint=", ".join(SUFFIXES))
        self._words = gui.add_html("")
        self.timeline = Timeline(self, self._show_at, self._write_panel)
        self._step = gui.add_button_group("Frame", (BACK, NEXT))
        self._who = gui.add_dropdown("Who", (NO_FILE,), hint="Whose curves are shown")
        self._numbers = gui.add_html("")
        self._mark = gui.add_html("")
        self._curves = gui.add_html("")
        speed, loop = self.timeline.add_speed()
        self._contacts = gui.add_checkbox("Contacts", True, hint="Mark what rests on the ground")
        self._in_scene = gui.add_checkbox("In the scene", True, hint="Show it in the scene that is open")
        self._report = gui.add_html("")
        self._controls = (
            self.timeline.slider, self.timeline.button, self._step, speed, loop, self._contacts, self._in_scene,
            self._who, self._numbers, self._mark, self._curves, self._report,
        )  # fmt: skip
        self._player: Player | None = None
        self._measured: Measured | None = None
        self._has_own_floor = False
        self._file.on_update(self.when_asked(self._open_chosen))
        self._again.on_click(lambda _: desk.leave(self._list_files))
        self._upload.on_upload(lambda event: self._leave_upload(event.target.value))
        self._step.on_click(
            lambda event: desk.leave(lambda: self._step_frames(1 if event.target.value == NEXT else -1))
        )
        self._contacts.on_update(self.when_asked(self._show_marks))
        self._in_scene.on_update(self.when_asked(self._begin))
        self._who.on_update(self.when_asked(self._measure_again))

    @property
    def clock(self) -> Clock:
        return self.timeline.clock

    def accepts(self) -> bool:
        return True

    def heading(self) -> tuple[str, str] | None:
        recorded = self.viewer.recording
        return None if recorded is None else (recorded.title, recorded.about)

    def play(self, motions: Mapping[str, Motion], *, title: str = "") -> None:
        """Play motions that another tab hands over, in the open scene."""
        self.viewer.play(of_motions(title or ", ".join(motions), motions))

    def show(self) -> None:
        self._list_files()
        self._begin()

    def hide(self) -> None:
        self.timeline.end()
        if self._player is not None:
            self._player.remove()
        self._player = self._measured = None
        if self._has_own_floor:
            self._leave_floor()

    def film(self) -> Film | None:
        if self._player is None or self.clock.duration_s <= 0.0:
            return None
        return Film(self.clock.duration_s, self.clock.time_s, self._player.recorded.joints, self._show_at)

    def _list_files(self) -> None:
        names = (NO_FILE, *self.viewer.folder.names(*SUFFIXES))
        if names != self._file.options:
            self._file.options = names
        recorded = self.viewer.recording
        self._file.value = recorded.title if recorded is not None and recorded.title in names else NO_FILE

    def _open_chosen(self) -> None:
        name = self._file.value
        if name != NO_FILE:
            self._open(name, self.viewer.folder)

    def _leave_upload(self, file: viser.UploadedFile) -> None:
        self.viewer.desk.leave(lambda: self._open_uploaded(Path(file.name).name, file.content))

    def _open_uploaded(self, name: str, content: bytes) -> None:
        """Read a file that came from a browser, in a folder where it is alone."""
        if len(content) > MAX_BYTES:
            raise InvalidInput(f"{len(content):,} bytes are more than the {MAX_BYTES:,} that are read")
        suffix = Path(name).suffix.lower()
        with tempfile.TemporaryDirectory(prefix="gambol-play-") as place:
            own = f"{UPLOADED}{suffix if suffix in SUFFIXES else ''}"  # never a name from a browser
            (Path(place) / own).write_bytes(content)
            self._open(own, Folder(place), shown=name)

    def _open(self, name: str, folder: Folder, *, shown: str = "") -> None:
        """Read a file and play it; after an error the one before stays.

        shown: the name to show; "": its own.
        """
        name_shown = shown or name
        try:
            recorded = read_recorded(name, folder, shown=name_shown)
        except GambolError as error:
            said = error.in_file(name_shown) if isinstance(error, FileProblem) else error
            self._words.content = paragraph(str(said), color=RED)
            self.viewer.tell(said)
            return
        self.viewer.play(recorded)

    def _begin(self) -> None:
        """Play the recording of the viewer from its beginning."""
        self.hide()
        recorded = self.viewer.recording
        for control in self._controls:
            control.visible = recorded is not None
        if recorded is None:
            self._words.content = paragraph("Choose a motion or a recording.")
            return
        self._player = Player(self.viewer.scene, recorded)
        self._player.marks_shown = self._contacts.value
        self._who.options, self._who.visible = recorded.names[:MOST_OFFERED], len(recorded.names) > 1
        self._measure()
        self._set_up(recorded)
        self._write_words(recorded)
        self.timeline.begin(recorded.duration_s)

    def _set_up(self, recorded: Recorded) -> None:
        """Show a world for the recording: its own, the open one, or a floor."""
        viewer = self.viewer
        document = viewer.document
        self._in_scene.visible = document is not None and recorded.world is None
        if recorded.world is None and document is not None and self._in_scene.value:
            return
        self._has_own_floor = True
        if recorded.world is not None:
            viewer.stage.show(recorded.world)
        else:
            floor_m = self._measured.quality.ground_height_m if self._measured is not None else 0.0
            viewer.stage.show(World(recorded.bounds), floor_m=floor_m)
        viewer.stage.look_at_all()

    def _leave_floor(self) -> None:
        self._has_own_floor = False
        document = self.viewer.document
        if document is None:
            self.viewer.stage.clear()
        else:
            self.viewer.stage.show_scene(document.scene)
            self.viewer.stage.look_at_all()

    def _measure_again(self) -> None:
        self._measure()
        self.timeline.go_to(self.clock.time_s)

    def _measure(self) -> None:
        """Measure the motion of the chosen character, and show its curves."""
        recorded = self.viewer.recording
        if recorded is None or self._player is None:
            return
        self._measured = Measured.of(*recorded.motion(self._who.value))
        self._player.mark(self._measured)
        self._curves.content = curves_html(self._measured, recorded.duration_s)
        self._report.content = paragraph(*self._measured.quality.describe().splitlines())

    def _write_words(self, recorded: Recorded) -> None:
        self._words.content = paragraph(*recorded.notes) if recorded.notes else ""

    def _show_marks(self) -> None:
        if self._player is not None:
            self._player.marks_shown = self._contacts.value
            self._show_at(self.clock.time_s)

    def _step_frames(self, count: int) -> None:
        """Go some frames ahead or back, and stay there."""
        if self._measured is not None:
            self.clock.runs = False
            frame = self._measured.frame(self.clock.time_s) + count
            self.timeline.go_to(self._measured.start_s + frame / self._measured.motion.rate_hz)

    def _show_at(self, time_s: float) -> None:
        if self._player is not None:
            with self.viewer.server.atomic():
                self._player.show(time_s)
                self.viewer.stage.at(time_s)

    def _write_panel(self) -> None:
        """Write the numbers at the time, and the mark over the curves."""
        if self._measured is not None:
            self._numbers.content = paragraph(numbers(self._measured, self.clock.time_s))
            self._mark.content = mark_html(self._measured, self.clock.duration_s, self.clock.time_s)

"""A climber's plan: drag start and goal, and see the whole body climb."""

from __future__ import annotations

import time
from functools import partial

from gambol.errors import GambolError
from gambol.scenes.climb_actor import ClimbActor
from gambol.stages.climber import CORES
from gambol.view.climb.figure import ClimbingFigure
from gambol.view.climb.marks import Marks, dragged, written
from gambol.view.climb.mode_list import ModeList
from gambol.view.climb.played import Played, climb_alone
from gambol.view.climb.words import judged_html, legend_html, moment_html, outcome_html
from gambol.view.document import Document
from gambol.view.later import Later
from gambol.view.play.timeline import Clock, Timeline
from gambol.view.tab import Film, Tab
from gambol.view.viewer import Viewer
from gambol.view.words import RED, bullets, paragraph
from gambol.view.worker import Progress, Worker

USUAL_S = 60.0  # s, >= 1: time limit of a search, at first
LONGEST_S = 300.0  # s: time limit of a search, at most
MOST_SEED = 2**31 - 1  # the largest seed
TALK_M = 0.5  # m: height of the words that say why the goal is not reached, above the goal
WHY = "/climb/why"  # name of the node of these words
NOT_VALID = "This cannot be climbed. It is shown as it was before"  # title of a list of mistakes


class ClimbTab(Tab):
    """Start and goal can be dragged; the climb follows when the hand rests, planned beside the desk."""

    title = "Climb"
    order = 0

    def __init__(self, viewer: Viewer) -> None:
        super().__init__(viewer)
        gui = viewer.gui
        self._who = gui.add_dropdown("Character", tuple[str, ...](["–"]), visible=False)
        self._core = gui.add_dropdown(
            "Core", tuple(CORES), hint="stances: a search over which limb holds what; paper: as in KP00"
        )
        self._seed = gui.add_number("Seed", 0, min=0, max=MOST_SEED, step=1, hint="At first the scene's own")
        self._limit = gui.add_slider("Seconds at most", 1.0, LONGEST_S, 1.0, USUAL_S, hint="For a search")
        self._again = gui.add_button("Climb again", hint="With the next seed")
        self._busy = gui.add_progress_bar(100.0, visible=False, animated=True)
        self._words = gui.add_html("")
        self._mistakes = gui.add_html("")
        self.timeline = Timeline(self, self._show_at, self._write_moment)
        self._speed, self._loop = self.timeline.add_speed()
        self._modes = ModeList(viewer, self.timeline.go_to)
        self._moment = gui.add_html("")
        self._legend = gui.add_html(legend_html())
        self._changes = gui.add_button_group("Changes", ("Undo", "Redo"))
        with gui.add_folder("Judged"):
            self._judged = gui.add_html("")
        self._playing = (self.timeline.slider, self.timeline.button, self._speed, self._loop, self._modes.folder)
        self._actor: ClimbActor | None = None  # with start and goal where they are dragged to
        self._seeded: Document | None = None  # the document whose seed is in the field
        self._marks: Marks | None = None
        self._figure = ClimbingFigure(viewer.scene)
        self._worker = Worker(viewer.desk, self._tell_progress)
        self._later = Later(viewer.desk, "climb")
        self.played: Played | None = None  # the climb that is shown
        self._listen()

    def _listen(self) -> None:
        desk = self.viewer.desk
        self._who.on_update(self.when_asked(self._begin))
        for control in (self._core, self._seed, self._limit):
            control.on_update(self.when_asked(lambda: self._later.ask(self._climb)))
        self._again.on_click(lambda _: desk.leave(self._climb_again))
        steps = {"Undo": True, "Redo": False}
        self._changes.on_click(lambda event: desk.leave(partial(self.step, steps[event.target.value])))

    @property
    def clock(self) -> Clock:
        return self.timeline.clock

    def accepts(self) -> bool:
        document = self.viewer.document
        return document is not None and document.scene.kind == "climb" and bool(document.scene.climbs)

    def show(self) -> None:
        assert self.viewer.document is not None
        names = tuple(climb.name for climb in self.viewer.document.scene.climbs)
        if self._who.options != names:
            self._who.options = names
        self._who.visible = len(names) > 1
        if self._seeded is not self.viewer.document:
            self._seeded = self.viewer.document
            self._seed.value = self.viewer.document.scene.seed
        self._begin()

    def hide(self) -> None:
        self._later.cancel()
        self._worker.stop()
        self._leave_climb()
        if self._marks is not None:
            self._marks.remove()
        self._marks = self._actor = None
        self._busy.visible = False

    def film(self) -> Film | None:
        if self.played is None or self.played.duration_s <= 0.0:
            return None
        return Film(self.played.duration_s, self.clock.time_s, self._figure.joints, self._show_at)

    def step(self, back: bool) -> None:
        document = self.viewer.document
        if document is not None and (document.can_undo if back else document.can_redo):
            document.undo() if back else document.redo()
            self.viewer.changed()

    def _chosen(self, document: Document) -> ClimbActor:
        return next(one for one in document.scene.climbs if one.name == self._who.value)

    def _begin(self) -> None:
        """Begin with the chosen climber's problem, and solve it."""
        self.hide()
        document = self.viewer.document
        if document is None or self.viewer.tab is not self:
            return
        self._actor = self._chosen(document)
        self._marks = Marks(self.viewer.scene, self._actor, self._drag)
        self._write_mistakes()
        self._climb()

    def _leave_climb(self) -> None:
        """Stop showing a climb."""
        self.timeline.end()
        self._figure.remove()
        self._modes.show(None)
        self.viewer.scene.remove_by_name(WHY)
        self.played = None
        for control in (*self._playing, self._moment):
            control.visible = False
        self._judged.content = ""

    def _drag(self, what: str, x: float, z: float, done: bool) -> None:
        """Take a drag of the start or goal."""

        def work() -> None:
            document = self.viewer.document
            if self._actor is None or self._marks is None or document is None:
                return
            self._actor = dragged(self._actor, what, x, z)
            self._marks.put(self._actor)
            if not done:
                self._later.ask(self._climb)
                return
            self._later.cancel()
            key = ("cast", list(self._who.options).index(self._who.value))
            document.edit(lambda text: written(text, document.data, key, what, x, z))
            self.viewer.write_title()
            self._write_mistakes()
            if document.is_valid:
                self._actor = self._chosen(document)  # its heading may follow the goal
                self._climb()

        self.viewer.desk.leave(work, about=f"climb {what}")

    def _write_mistakes(self) -> None:
        document = self.viewer.document
        problems = () if document is None else document.problems
        self._mistakes.content = bullets(NOT_VALID, [(one.key, one.message) for one in problems]) if problems else ""

    def _climb_again(self) -> None:
        self._seed.value = int(self._seed.value) + 1
        self._climb()

    def _climb(self) -> None:
        """Plan the climb anew beside the desk; the one before is shown until then."""
        actor, document = self._actor, self.viewer.document
        if actor is None or document is None:
            return
        scene, core, seed, limit_s = document.scene, self._core.value, int(self._seed.value), float(self._limit.value)
        began = time.monotonic()

        def work(progress: Progress) -> Played:
            return climb_alone(scene, actor, core=core, seed=seed, time_limit_s=limit_s, progress=progress)

        def done(played: Played) -> None:
            self._busy.visible = False
            self._present(played, time.monotonic() - began)

        self._worker.ask(work, done, self._fail)
        self._tell_progress("waiting for the search before to end", 0.0)

    def _tell_progress(self, what: str, share: float) -> None:
        self._busy.visible = True
        self._words.content = paragraph(f"{what} …")

    def _fail(self, error: Exception) -> None:
        self._busy.visible = False
        self._leave_climb()
        self._words.content = paragraph(str(error) if isinstance(error, GambolError) else "this failed", color=RED)
        self.viewer.tell(error)

    def _present(self, played: Played, took_s: float) -> None:
        """Play a climb from its beginning."""
        self._leave_climb()
        self.played = played
        self._words.content = outcome_html(played, took_s)
        self._judged.content = judged_html(played)
        self._say_why(played)
        if played.motion is None:
            return
        for control in self._playing:
            control.visible = played.duration_s > 0.0
        self._moment.visible = True
        self._figure.follow(played)
        self._modes.show(played)
        self.timeline.begin(played.duration_s)

    def _say_why(self, played: Played) -> None:
        """Write why the goal is not reached, above the goal."""
        if not played.climbed.found:
            x, z = played.climbed.actor.goal
            self.viewer.scene.add_label(
                WHY, f"⚠ {played.climbed.outcome}", position=(x, 0.0, z + TALK_M), anchor="bottom-center"
            )

    def _show_at(self, time_s: float) -> None:
        with self.viewer.server.atomic():
            self._figure.show(time_s)

    def _write_moment(self) -> None:
        """Write the mode and the holds."""
        if self.played is not None and self.played.motion is not None:
            self._moment.content = moment_html(self.played, self.clock.time_s)
            self._modes.mark(self.played.duration_s, self.clock.time_s)

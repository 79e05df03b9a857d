"""Variation: models of how similar motions differ, and new motions beside the ones that a model learned from."""

from __future__ import annotations

from functools import partial

from gambol.errors import GambolError, InvalidInput
from gambol.files.formats import FORMATS, WRITTEN
from gambol.variation.file import SUFFIX
from gambol.variation.model import DEFAULT_PRESET, MOST_AMOUNT, PRESETS, Variant, VariationModel
from gambol.view.later import Later
from gambol.view.play.timeline import Clock, Timeline
from gambol.view.tab import Film, Tab
from gambol.view.vary.showing import Showing, arrange
from gambol.view.vary.sources import cuts_of, learn_from, open_named, save_named, save_variants, written
from gambol.view.viewer import VARY, Viewer
from gambol.view.words import RED, paragraph
from gambol.view.worker import Worker

NONE: str = "–"  # stands for no file in a list
BESIDE, OVER = "Side by side", "Overlaid"  # labels of the two layouts
MOST = 25  # >= 1: variants that are shown, at most; larger: slower
USUAL = 5  # 1 to MOST: variants that are shown, at first
STREAM_S = 8.0  # s, > 0: duration of an endless variant; larger: slower to make


class VaryTab(Tab):
    """A model from a file, or learned from motions of the folder; its inputs are blue, its variants yellow."""

    title = VARY
    order = 95

    def __init__(self, viewer: Viewer) -> None:
        super().__init__(viewer)
        gui = viewer.gui
        self._file = gui.add_dropdown("Model", (NONE,), hint=f"Models ({SUFFIX}) in {viewer.folder.path}")
        with gui.add_folder("Learn a model", expand_by_default=False):
            self._motion = gui.add_dropdown("Add a motion", (NONE,), hint=f"Motions in {viewer.folder.path}")
            self._cuts = gui.add_text(
                "Motions",
                "",
                multiline=True,
                hint="Files, or cuts of files as walk.bvh@58-193,193-328; with blanks between them",
            )
            self._preset = gui.add_dropdown("Preset", PRESETS, initial_value=DEFAULT_PRESET)
            self._learn = gui.add_button("Learn")
        self._progress = gui.add_progress_bar(0.0, visible=False)
        self._stop = gui.add_button("Stop", color="red", visible=False)
        self._words = gui.add_html("")
        self._amount = gui.add_slider(
            "Amount", 0.0, MOST_AMOUNT, 0.05, 1.0, hint="0: the mean motion; 1: varies as the inputs do"
        )
        self._count = gui.add_slider("How many", 1, MOST, 1, USUAL)
        self._seed = gui.add_number("Seed", 1, min=0, max=2**31 - 1, step=1, hint="Of the first; others follow")
        self._another = gui.add_button("Others", hint="Variants that have not been shown yet")
        self._stream = gui.add_checkbox("Endless", False, hint=f"{STREAM_S:g} s of new cycles, one after another")
        self._feet = gui.add_checkbox("Feet stay", True, hint="Planted feet and hands stay where they are")
        self._layout = gui.add_button_group("Placed", (BESIDE, OVER))
        self._inputs = gui.add_checkbox("Inputs", True)
        self._variants = gui.add_checkbox("Variants", True)
        self._showing = Showing(viewer)
        self.timeline = Timeline(self, self._showing.at)
        with gui.add_folder("Save", expand_by_default=False) as self._saving:
            self._name = gui.add_text("File name", "variant", hint="Without its ending; each gets a number")
            self._format = gui.add_dropdown("Format", WRITTEN)
            self._save = gui.add_button("Save the variants", hint=f"In {viewer.folder.path}")
            self._keep = gui.add_button("Save the model", color="gray", hint=f"As a file that ends in {SUFFIX}")
        self._controls = (
            self._amount, self._count, self._seed, self._another, self._stream, self._feet, self._layout,
            self._inputs, self._variants, self.timeline.slider, self.timeline.button, self._saving,
        )  # fmt: skip
        self._made: list[Variant] = []
        self._made_by: VariationModel | None = None
        self._is_overlaid = False
        self._worker = Worker(viewer.desk, self._tell_progress)
        self._later = Later(viewer.desk, "vary")
        self._listen()

    def _listen(self) -> None:
        desk = self.viewer.desk
        self._file.on_update(self.when_asked(self._open_chosen))
        self._motion.on_update(self.when_asked(self._add_motion))
        self._learn.on_click(lambda _: desk.leave(self._learn_now))
        self._stop.on_click(lambda _: desk.leave(self._stop_work))
        self._another.on_click(lambda _: desk.leave(self._make_others))
        for control in (self._amount, self._count, self._seed, self._stream, self._feet):
            control.on_update(self.when_asked(lambda: self._later.ask(self._make)))
        for control in (self._inputs, self._variants):
            control.on_update(self.when_asked(self._place))
        self._layout.on_click(lambda event: desk.leave(partial(self._lay_out, event.target.value)))
        self._save.on_click(lambda _: desk.leave(self._save_variants))
        self._keep.on_click(lambda _: desk.leave(self._save_model))

    @property
    def clock(self) -> Clock:
        return self.timeline.clock

    @property
    def model(self) -> VariationModel | None:
        return None if self.viewer.variation is None else self.viewer.variation[1]

    def accepts(self) -> bool:
        """Tell whether there is a model, or something to learn one from."""
        folder = self.viewer.folder
        return self.model is not None or bool(folder.names(SUFFIX)) or len(folder.names(*FORMATS)) > 1

    def heading(self) -> tuple[str, str] | None:
        if self.viewer.variation is None:
            return "Vary", "Open a model, or learn one from similar motions."
        name, model = self.viewer.variation
        kind = "cycles" if model.examples.cyclic else "motions"
        return name, f"{model.preset}, learned from {model.examples.count} {kind}"

    def show(self) -> None:
        folder = self.viewer.folder
        for control, names in ((self._file, folder.names(SUFFIX)), (self._motion, folder.names(*FORMATS))):
            if control.options != (NONE, *names):
                control.options = (NONE, *names)
        name = "" if self.viewer.variation is None else self.viewer.variation[0]
        self._file.value = name if name in self._file.options else NONE
        for control in self._controls:
            control.visible = self.model is not None
        if self._made_by is self.model:
            self._place()
        else:
            self._make()

    def hide(self) -> None:
        self._later.cancel()
        self._stop_work()
        self.timeline.end()
        self._showing.leave()

    def film(self) -> Film | None:
        if self._showing.is_empty:
            return None
        return Film(self.clock.duration_s, self.clock.time_s, self._showing.joints, self._showing.at)

    def _open_chosen(self) -> None:
        if self._file.value != NONE:
            self.viewer.vary(self._file.value, open_named(self._file.value, self.viewer.folder))

    def _add_motion(self) -> None:
        if self._motion.value != NONE:
            self._cuts.value = f"{self._cuts.value.rstrip()}\n{written(self._motion.value)}".lstrip()
            self._motion.value = NONE

    def _learn_now(self) -> None:
        cuts = cuts_of(self._cuts.value, self.viewer.folder)
        preset = self._preset.value
        called = ", ".join(dict.fromkeys(cut.path.stem for cut in cuts))

        def learned(model: VariationModel) -> None:
            self._end_work()
            self.viewer.vary(called, model)

        self._worker.ask(lambda progress: learn_from(cuts, preset, progress), learned, self._fail)
        self._tell_progress("reading", 0.0)

    def _make_others(self) -> None:
        self._seed.value = int(self._seed.value) + int(self._count.value)
        self._make()

    def _make(self) -> None:
        """Make variants as the controls say, beside the desk."""
        model = self.model
        if model is None:
            return
        self._stream.disabled = not model.examples.cyclic
        first = int(self._seed.value)
        make = partial(
            model.samples,
            range(first, first + int(self._count.value)),
            amount=float(self._amount.value),
            constrain=self._feet.value,
            stream_s=STREAM_S if self._stream.value and model.examples.cyclic else None,
        )

        def done(made: list[Variant]) -> None:
            self._end_work()
            self._made, self._made_by = made, model
            self._place()

        self._worker.ask(lambda progress: make(progress=progress), done, self._fail)

    def _tell_progress(self, what: str, share: float) -> None:
        self._progress.visible = self._stop.visible = True
        self._progress.value = round(100.0 * share, 1)
        self._words.content = paragraph(what)

    def _end_work(self) -> None:
        self._progress.visible = self._stop.visible = False

    def _stop_work(self) -> None:
        if self._progress.visible:
            self._words.content = paragraph("stopped")
        self._worker.stop()
        self._end_work()

    def _fail(self, error: Exception) -> None:
        self._end_work()
        self._words.content = paragraph(str(error) if isinstance(error, GambolError) else "this failed", color=RED)
        self.viewer.tell(error)

    def _lay_out(self, how: str) -> None:
        self._is_overlaid = how == OVER
        self._place()

    def _place(self) -> None:
        """Show inputs and variants at their places, and go on playing."""
        model = self.model
        if model is None or self.viewer.tab is not self or not self._made:
            return
        arrangement = arrange(
            model,
            self._made,
            overlaid=self._is_overlaid,
            with_inputs=self._inputs.value,
            with_variants=self._variants.value,
        )
        runs = self.clock.runs or self._showing.is_empty
        self._showing.show(arrangement)
        self._words.content = paragraph(*self._numbers(model))
        self.timeline.begin(arrangement.recorded.duration_s, time_s=self.clock.time_s, runs=runs)

    def _numbers(self, model: VariationModel) -> list[str]:
        lines = []
        for what, motions in (
            ("inputs", [item.motion for item in model.examples.items]),
            ("variants", [variant.motion for variant in self._made]),
        ):
            seconds = sorted(motion.duration_s for motion in motions)
            lines.append(f"{len(motions)} {what}, {seconds[0]:.2f} to {seconds[-1]:.2f} s")
        return lines

    def _save_variants(self) -> None:
        paths = save_variants(self.viewer.folder, self._name.value, self._format.value, self._made)
        self.viewer.tell(f"saved as {', '.join(path.name for path in paths)}")

    def _save_model(self) -> None:
        if self.model is None:
            raise InvalidInput("there is no model to save")
        self.viewer.tell(f"saved as {save_named(self.viewer.folder, self._name.value, self.model).name}")

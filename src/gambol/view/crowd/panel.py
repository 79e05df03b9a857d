"""The controls of a crowd in the panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import viser

from gambol.view.crowd.run import LEAST_SPEED, MOST_SPEED

MODES = ("choose", "add", "remove", "send those chosen", "throw a ball")  # what a click can do
#: What the panel says about each mode.
HINTS = {
    "choose": "Click a character; with shift also others, or drag a rectangle. Obstacles can be dragged, and the goals "
    "of chosen characters.",
    "add": "Click the ground: new characters come there and wander about.",
    "remove": "Click a character: it is gone.",
    "send those chosen": "Click the ground: all chosen characters go there.",
    "throw a ball": "Click the ground: a ball comes down there.",
}
RUN, PAUSE, STEP, AGAIN = "Run", "Pause", "Step", "Start over"  # labels of the buttons for time
LEAST_BUDGET = 20  # >= 1: the slider for the budget reaches this at least
PUSH_HZ = 10.0  # Hz, > 0: pushes a second while a button is held; larger: smoother
#: For each key that drives the cart: its direction, the key, and how it pushes and turns.  W, A, S, D move the camera.
PUSHES: tuple[tuple[str, Literal["I", "J", "K", "L"], float, float], ...] = (
    ("ahead", "I", 1.0, 0.0),
    ("left", "J", 0.0, 1.0),
    ("back", "K", -1.0, 0.0),
    ("right", "L", 0.0, -1.0),
)


class CrowdPanel:
    """The controls; they call the functions given to them, from any thread."""

    def __init__(
        self,
        gui: viser.GuiApi,
        *,
        time_asked: Callable[[str], None],
        changed: Callable[[], None],
        thrown: Callable[[viser.ClientHandle | None], None],
        pushed: Callable[[float, float], None],
        cart_taken: Callable[[], None],
    ) -> None:
        self._gui = gui
        self.time = gui.add_button_group("Time", (PAUSE, STEP, AGAIN))
        self.time.on_click(lambda event: time_asked(event.target.value))
        self.speed = gui.add_slider("Speed", LEAST_SPEED, MOST_SPEED, 0.25, 1.0)
        self.budget = gui.add_slider(
            "Budget",
            1,
            LEAST_BUDGET,
            1,
            LEAST_BUDGET,
            hint="Characters that plan in a frame; the others wait.",
        )
        self.mode = gui.add_dropdown("A click", MODES)
        self._hint = gui.add_html("")
        self.kind = gui.add_dropdown("Kind", tuple[str, ...](["–"]), visible=False)
        self.count = gui.add_slider("How many", 1, 50, 1, 1, visible=False)
        self.follow = gui.add_checkbox("Follow", False, hint="The camera goes along with the first chosen character.")
        self.counters = gui.add_html("")
        with gui.add_folder("Chosen"):
            self.chosen = gui.add_html("")
        with gui.add_folder("Plan times", expand_by_default=False):
            self.histogram = gui.add_html("")
        with gui.add_folder("On the ground", expand_by_default=False):
            self.goals = gui.add_checkbox("Goals", False)
            self.ways = gui.add_checkbox("Routes", False)
            self.lanes = gui.add_checkbox("Lanes, queues", False)
        with gui.add_folder("Things", expand_by_default=False):
            throw = gui.add_button("Throw a ball (T)", hint="To where the middle of the view is.")
            throw.on_click(lambda event: thrown(event.client))
            gui.add_html('<div style="font-size:0.8em;padding:0 0.9em;color:#777">A cart to drive: keys I J K L</div>')
            for name, key, ahead, turn in PUSHES:
                button = gui.add_button(f"{name.capitalize()} ({key})")
                button.on_hold(lambda _, ahead=ahead, turn=turn: pushed(ahead, turn), callback_hz=PUSH_HZ)
            gui.add_button("Take the cart away").on_click(lambda _: cart_taken())
        self._commands: list[viser.CommandHandle] = []
        self._thrown, self._pushed, self._time_asked = thrown, pushed, time_asked
        for control in (self.speed, self.budget, self.goals, self.ways, self.lanes):
            control.on_update(lambda _: changed())
        self.mode.on_update(lambda _: self.write_hint())
        self.write_hint()

    def offer(self, kinds: tuple[str, ...], people: int) -> None:
        """Offer the kinds of a crowd, and begin with the largest budget.  people: number of characters."""
        self.kind.options = kinds
        most = max(LEAST_BUDGET, people // 2)
        self.budget.max = most
        self.budget.value = most
        self.write_hint()

    def write_time(self, is_running: bool) -> None:
        """Show the button that pauses, or the one that runs."""
        options = (PAUSE if is_running else RUN, STEP, AGAIN)
        if self.time.options != options:
            self.time.options = options

    def write_hint(self) -> None:
        """Write what a click does, and show the controls for it."""
        is_adding = self.mode.value == "add"
        self._hint.content = (
            f'<div style="font-size:0.8em;padding:0 0.9em 0.3em 0.9em;color:#777">{HINTS[self.mode.value]}</div>'
        )
        self.count.visible = is_adding
        self.kind.visible = is_adding and len(self.kind.options) > 1

    def add_keys(self) -> None:
        """Make keys do what buttons do, until `remove_keys`."""
        for name, key, ahead, turn in PUSHES:
            command = self._gui.add_command(f"Cart: {name}", hotkey=key)
            command.on_trigger(lambda _, ahead=ahead, turn=turn: self._pushed(ahead, turn))
            self._commands.append(command)
        throw = self._gui.add_command("Throw a ball", hotkey="T")
        throw.on_trigger(lambda event: self._thrown(event.client))
        pause = self._gui.add_command("Run or pause", hotkey="P")
        pause.on_trigger(lambda _: self._time_asked(PAUSE))
        self._commands += [throw, pause]

    def remove_keys(self) -> None:
        for command in self._commands:
            command.remove()
        self._commands = []

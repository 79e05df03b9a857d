"""Count the files of Gambol that a goal passes that is dragged in the viewer: python tools/trace_drag.py [SCENE]."""

from __future__ import annotations

import sys

from trace_files import Trace, report

from gambol.view import Viewer
from gambol.view.plan.tab import PlanTab

WAIT_S = 300.0


def main(scene: str = "course") -> None:
    viewer = Viewer(port=0)
    viewer.open(scene)
    viewer.desk.wait(WAIT_S)
    tab = viewer.tab
    assert isinstance(tab, PlanTab)
    problem = tab._problem
    assert problem is not None

    def drag(away_m: float) -> None:
        tab._drag("goal", problem.goal.x - away_m, problem.goal.y, False)
        viewer.desk.wait(WAIT_S)

    drag(0.1)  # compiles
    trace = Trace()
    viewer.desk.do(lambda: sys.setprofile(trace._note))  # that thread does the work
    with trace:
        drag(0.2)
    viewer.desk.do(lambda: sys.setprofile(None))
    viewer.close()
    report(trace, listed=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.judges.attribution import attribute as attribute
from gambol.judges.cast import Performer as Performer
from gambol.judges.climb_body import judge_climb_body as judge_climb_body
from gambol.judges.climb_figure import capsules_of as capsules_of
from gambol.judges.climb_figure import mass_centres as mass_centres
from gambol.judges.climb_figure import points_of as points_of
from gambol.judges.climb_report import BodyReport as BodyReport
from gambol.judges.climb_report import ClimbReport as ClimbReport
from gambol.judges.climb_report import Worst as Worst
from gambol.judges.climb_solids import Solids as Solids
from gambol.judges.climbs import judge_climb as judge_climb
from gambol.judges.crowd_report import CrowdCollision as CrowdCollision
from gambol.judges.crowd_report import CrowdReport as CrowdReport
from gambol.judges.crowd_report import CrowdTouch as CrowdTouch
from gambol.judges.crowd_report import join_reports as join_reports
from gambol.judges.crowds import judge_crowd as judge_crowd
from gambol.judges.motions import check_motions as check_motions
from gambol.judges.plans import check as check
from gambol.judges.present import look_now as look_now
from gambol.judges.report import CheckReport as CheckReport
from gambol.judges.report import Collision as Collision
from gambol.judges.report import IllegalTransition as IllegalTransition
from gambol.judges.report import Report as Report
from gambol.judges.report import Touch as Touch

# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.stages.climber import CORES as CORES
from gambol.stages.climber import Climber as Climber
from gambol.stages.climbs import ClimbPerformance as ClimbPerformance
from gambol.stages.climbs import ClimbStage as ClimbStage
from gambol.stages.climbs import Climbed as Climbed
from gambol.stages.crowd_report import Fare as Fare
from gambol.stages.crowd_report import RunFacts as RunFacts
from gambol.stages.crowd_report import RunReport as RunReport
from gambol.stages.crowds import CrowdPerformance as CrowdPerformance
from gambol.stages.crowds import CrowdStage as CrowdStage
from gambol.stages.performance import Performance as Performance
from gambol.stages.performance import Progress as Progress
from gambol.stages.performance import Stage as Stage
from gambol.stages.performance import judge as judge
from gambol.stages.performance import perform as perform
from gambol.stages.plans import PlanPerformance as PlanPerformance
from gambol.stages.plans import PlanStage as PlanStage
from gambol.stages.split_crowds import SplitCrowdStage as SplitCrowdStage
from gambol.stages.variants import VariantsPerformance as VariantsPerformance
from gambol.stages.variants import VaryStage as VaryStage

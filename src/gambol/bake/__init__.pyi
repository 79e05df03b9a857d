# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.bake.baking import Baked as Baked
from gambol.bake.baking import bake as bake
from gambol.bake.engine import Attempt as Attempt
from gambol.bake.engine import Engine as Engine
from gambol.bake.inputs import Gathered as Gathered
from gambol.bake.inputs import Inputs as Inputs
from gambol.bake.inputs import lay_out as lay_out
from gambol.bake.job import Job as Job
from gambol.bake.job import load_job as load_job
from gambol.bake.job import parse_job as parse_job
from gambol.bake.pool import Pool as Pool
from gambol.bake.ray_engine import RayEngine as RayEngine
from gambol.bake.report import write_outputs as write_outputs
from gambol.bake.store import Store as Store
from gambol.bake.task import Scalar as Scalar
from gambol.bake.task import Task as Task
from gambol.bake.worker import bake_here as bake_here

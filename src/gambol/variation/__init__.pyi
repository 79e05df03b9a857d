# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.variation.characters.fill import extended as extended
from gambol.variation.characters.fill import fill as fill
from gambol.variation.characters.fill import recipes as recipes
from gambol.variation.cuts import Cut as Cut
from gambol.variation.cuts import are_cyclic as are_cyclic
from gambol.variation.cuts import parse_cut as parse_cut
from gambol.variation.cuts import read_examples as read_examples
from gambol.variation.encoding import encoding_of as encoding_of
from gambol.variation.examples import Example as Example
from gambol.variation.examples import Examples as Examples
from gambol.variation.examples import cut_example as cut_example
from gambol.variation.examples import gather as gather
from gambol.variation.file import read_model as read_model
from gambol.variation.file import write_model as write_model
from gambol.variation.from_motions import vary as vary
from gambol.variation.measures.distances import repetition as repetition
from gambol.variation.measures.distances import shape as shape
from gambol.variation.measures.links import Links as Links
from gambol.variation.measures.links import links_of as links_of
from gambol.variation.measures.principal import principal_directions as principal_directions
from gambol.variation.model import Variant as Variant
from gambol.variation.model import VariationModel as VariationModel
from gambol.variation.model import learn as learn
from gambol.variation.report import report_on as report_on
from gambol.variation.screening import Judged as Judged
from gambol.variation.screening import Screening as Screening

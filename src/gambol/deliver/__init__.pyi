# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.deliver.registry import Delivery as Delivery
from gambol.deliver.registry import WriteOptions as WriteOptions
from gambol.deliver.registry import Writer as Writer
from gambol.deliver.registry import suffixes_of as suffixes_of
from gambol.deliver.registry import writers as writers
from gambol.deliver.variants import VariantFiles as VariantFiles

# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.animate.blends import Blends as Blends
from gambol.animate.playing import play as play
from gambol.animate.playing import realize as realize
from gambol.animate.playing import realized_contacts as realized_contacts
from gambol.animate.terrain_report import terrain_contact_report as terrain_contact_report

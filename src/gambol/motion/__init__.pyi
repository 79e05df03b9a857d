# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.motion.contacts import Contacts as Contacts
from gambol.motion.contacts import contact_points as contact_points
from gambol.motion.contacts import detect_contacts as detect_contacts
from gambol.motion.contacts import foot_points as foot_points
from gambol.motion.contacts import point_positions as point_positions
from gambol.motion.contacts import runs as runs
from gambol.motion.contacts import sole_points as sole_points
from gambol.motion import edits as edits
from gambol.motion.edits import resample as resample
from gambol.motion.edits import sample as sample
from gambol.motion.edits import scale as scale
from gambol.motion.foot_skate import remove_foot_skate as remove_foot_skate
from gambol.motion.ground import Ground as Ground
from gambol.motion.joint_names import arms as arms
from gambol.motion.joint_names import legs as legs
from gambol.motion.joint_names import mirror_partners as mirror_partners
from gambol.motion.mirroring import mirror as mirror
from gambol.motion.motion import Motion as Motion
from gambol.motion.quality import Quality as Quality
from gambol.motion.quality import measure_quality as measure_quality
from gambol.motion.quality import slide_speeds as slide_speeds
from gambol.motion.retargeting import retarget as retarget
from gambol.motion.skeleton import Skeleton as Skeleton
from gambol.motion.skeleton import same_bones as same_bones
from gambol.motion.two_bone_ik import hinge_axis as hinge_axis
from gambol.motion.two_bone_ik import reach_targets as reach_targets

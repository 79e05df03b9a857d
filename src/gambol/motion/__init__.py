"""Motions: skeletons, frames, edits, contacts, quality."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".balance": "Balance measure_balance",
        ".contacts": "Contacts contact_points detect_contacts foot_points point_positions runs sole_points",
        ".edits": "edits resample sample scale",
        ".foot_skate": "remove_foot_skate",
        ".ground": "Ground",
        ".joint_names": "arms legs mirror_partners",
        ".mirroring": "mirror",
        ".motion": "Motion world_poses",
        ".quality": "Quality measure_quality slide_speeds",
        ".retargeting": "retarget",
        ".skeleton": "Skeleton same_bones",
        ".two_bone_ik": "hinge_axis reach_targets",
    },
)

"""Crowds in real time: many characters that plan as they go and never touch."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".arrays": "ARRIVED Flock LOST ON_THE_WAY empty_flock",
        ".crowd": "Crowd",
        ".edit": "Edit Hit",
        ".entrance": "Entrance errand_of goals_of",
        ".errand": "Errand",
        ".event": "Event",
        ".export": "write_recording_bvh write_recording_glb write_recording_usd",
        ".floor": "Floor lay_floor note_lanes",
        ".glance": "glance_at goals way_of",
        ".kinds": "Clips",
        ".live_poses": "LivePoses",
        ".moment": "places",
        ".movers": "KnownMover Movers",
        ".recording": "Recording",
        ".recording_builder": "RecordingBuilder",
        ".recording_file": "read_recording write_recording",
        ".recording_statistics": "root_points statistics",
        ".repeats": "Repeats count_repeats",
        ".split.cluster": "started",
        ".split.split_crowd": "SplitCrowd",
        ".table": "write_table",
    },
)

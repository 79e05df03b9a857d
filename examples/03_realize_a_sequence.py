"""Play behaviors of the built-in human one after another, as one motion."""

from pathlib import Path

from gambol import load_character, write_motion
from gambol.animate import play

human = load_character("human")
print("after a jog may come:", ", ".join(human.successors("jog")[:8]), "…")
motion = play(human, ["start", "jog", "jog-left-30", "jump-over", "stop", "stand"])
write_motion(Path("out") / "jump.bvh", motion)
print(f"{motion.duration_s:.1f} s, {motion.frame_count} frames")

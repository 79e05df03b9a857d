"""Plan every character of a scene that ships, look at what came out, and write it."""

from pathlib import Path

from gambol import AStar, PlanStage, load_scene, perform

scene = load_scene("falling-tree")  # or the path of a scene file
performance = perform(scene, PlanStage(AStar(weight=1.5, trace=True)))

for name, plan in zip(performance.names, performance.plans, strict=True):
    print(f"{name}: {plan.outcome}, {plan.duration_s:.1f} s: {', '.join(plan.behaviors)}")
assert performance.report is not None
print("check:", performance.report.summary)

out = Path("out")
for path in performance.save(out / "tree.glb", out / "tree.bvh", out / "tree.plan.json", out / "tree.png").files:
    print(path)

"""Run a crowd: thirty people change sides through a doorway; one is told to turn back, a box is put in the way."""

from gambol import Crowd, Errand, Footprint, Obstacle, World, load_character
from gambol.crowd import write_recording, write_table
from gambol.judges import judge_crowd

human = load_character("human").subset("crowd")
walls = (
    Obstacle("wall, south", Footprint.box(0.3, 8.0), (15, 4, 0)),
    Obstacle("wall, north", Footprint.box(0.3, 8.0), (15, 16, 0)),
)
world = World((0, 0, 30, 20), walls)  # a doorway of 4 m
crowd = Crowd(world, [human], seed=1)
for number in range(15):
    row, column = divmod(number, 3)
    y, x = 4.0 + 3.0 * row, 2.0 + 2.0 * column
    crowd.add(human, (x, y, 0.0), Errand.to(30.0 - x, y), name=f"Ann {number}")
    crowd.add(human, (30.0 - x, y, 3.14), Errand.to(x, y), name=f"Bob {number}")

crowd.run(2.5)
crowd.give(0, Errand.to(2.0, 4.0))
box = crowd.add_obstacle(Obstacle("box", Footprint.box(1.0, 1.0), (8, 10, 0)), when="clear")
crowd.run(2.5)

edit = crowd.edits[box]
print(f"box: asked for in frame {edit.asked_frame}, there from {edit.frame} on, {len(edit.hits)} hit")
report = judge_crowd(crowd.recording(), world, edits=crowd.worlds)
print(f"{len(crowd)} people, {crowd.time_s:g} s, {len(report.touches)} touches, {len(report.collisions)} collisions")
write_recording("out/crossing.crowd", crowd.recording())
rows = write_table("out/crossing.csv", crowd.recording(), rate_hz=2.0)
print(f"out/crossing.crowd, out/crossing.csv ({rows} rows)")

"""Write docs/reference: the public names by what they are for; the site puts each one's full description beneath.

Names of `gambol.__all__` stand alone; those of other modules with their module, and `module.*` for all its public ones.
"""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
FOLDER = ROOT / "docs" / "reference"

#: Title, introduction and names of each page.
GROUPS: dict[str, tuple[str, str, str]] = {
    "motion": (
        "Motions",
        "Plain arrays in frozen values; an edit is a function from motion to motion. Guide: [motion.md](../motion.md).",
        "Motion Skeleton Body Contacts Quality detect_contacts measure_quality mirror remove_foot_skate retarget "
        "gambol.motion.edits.* gambol.geometry.quaternion.*",
    ),
    "files": (
        "Motion files",
        "BVH, glTF and USD in and out, ASF/AMC in. Guide: [files.md](../files.md).",
        "read_motion write_motion ReadOptions Reading gambol.deliver.plans.deliver",
    ),
    "characters": (
        "Characters",
        "What a body knows how to do. Guide: [character.md](../character.md).",
        "Character load_character realize",
    ),
    "variation": (
        "Variation",
        "New motions that vary as a few similar ones do. Guide: [variation.md](../variation.md).",
        "gambol.variation.examples.gather gambol.variation.examples.cut_example gambol.variation.model.learn "
        "gambol.variation.model.VariationModel gambol.variation.file.open_model gambol.variation.file.write_model "
        "gambol.variation.report.report_on gambol.variation.characters.fill.fill "
        "gambol.variation.characters.fill.recipes gambol.variation.characters.fill.extended",
    ),
    "worlds": (
        "Worlds and scenes",
        "What stands, what moves, hills, scene files. Guides: [worlds.md](../worlds.md), [scenes.md](../scenes.md).",
        "World Obstacle Footprint Mover Trajectory Terrain Scene load_scene shipped_scenes "
        "gambol.scenes.file.parse_scene gambol.world.falling.falling_log gambol.world.terrain_sources.Bump "
        "gambol.world.terrain_sources.terrain_from_bumps",
    ),
    "planning": (
        "Planning",
        "From a problem to a plan, and from a scene to checked motions. Guide: [planning.md](../planning.md).",
        "Problem Goal AStar Anytime Plan Outcome plan_group perform Performance Performer check_motions CheckReport",
    ),
    "trees": (
        "Search trees",
        "Grown once, looked up in microseconds. Guide: [trees.md](../trees.md).",
        "SearchTree grow_diverse read_tree write_tree LookUp TreePlanner gambol.trees.roots.trees_for",
    ),
    "crowds": (
        "Crowds",
        "Many who plan as they go. Guide: [crowd.md](../crowd.md).",
        "Crowd Errand perform_crowd Recording read_recording write_recording judge CrowdReport "
        "gambol.crowd.export.export_bvh gambol.crowd.table.write_table gambol.stages.split_crowds.perform_split_crowd",
    ),
    "climbing": (
        "Climbing",
        "Walk, crawl, climb and swing over grasp points. Guide: [climbing.md](../climbing.md).",
        "Climber Climb climb_problems gambol.stages.climbs.perform_climb gambol.judges.climbs.judge "
        "gambol.climb.file.read_climb_file gambol.deliver.climbs.deliver_climb",
    ),
    "baking": (
        "Baking",
        "Jobs of many tasks, here or on a cluster. Guide: [baking.md](../baking.md).",
        "gambol.bake.job.load_job gambol.bake.job.parse_job gambol.bake.baking.bake gambol.bake.pool.Pool "
        "gambol.bake.store.Store gambol.bake.report.write_outputs",
    ),
    "viewer": (
        "Viewer",
        "The viewer in the browser. Guide: [viewer.md](../viewer.md).",
        "gambol.view.viewer.Viewer gambol.view.tab.Tab",
    ),
    "errors": ("Errors", "Every error is a `GambolError` that says what was expected.", "GambolError gambol.errors.*"),
}


def path_of(module: str) -> Path:
    path = SOURCE / (module.replace(".", "/") + ".py")
    return path if path.is_file() else path.with_suffix("") / "__init__.py"


def tree_of(module: str) -> ast.Module:
    return ast.parse(path_of(module).read_text(encoding="utf-8"))


def imports(module: str) -> dict[str, str]:
    """Return what a module imports from others of the package, by name: the dotted names."""
    found = (node for node in ast.walk(tree_of(module)) if isinstance(node, ast.ImportFrom))
    ours = (node for node in found if (node.module or "").startswith("gambol."))
    return {alias.asname or alias.name: f"{node.module}.{alias.name}" for node in ours for alias in node.names}


def definitions(module: str) -> dict[str, str]:
    """Return the public names that a module defines, with the first paragraphs of their docstrings."""
    found = {}
    for node in tree_of(module).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            found[node.name] = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        found |= {target.id: "" for target in targets if isinstance(target, ast.Name) and target.id[0].isupper()}
    return found


def dotted(name: str) -> list[str]:
    """Return the full names that a word of a group stands for."""
    if "." not in name:
        return dotted(imports("gambol")[name])
    module, _, last = name.rpartition(".")
    if last != "*" and last not in definitions(module):
        return dotted(imports(module)[last])
    return (
        [f"{module}.{each}" for each in definitions(module) if each.upper() != each and each != "FloatArray"]
        if last == "*"
        else [name]
    )


def page(group: str) -> str:
    title, about, names = GROUPS[group]
    public = {full for name in imports("gambol") for full in dotted(name)}
    rows, blocks = [], []
    for full in dict.fromkeys(full for name in names.split() for full in dotted(name)):
        module, _, name = full.rpartition(".")
        source = path_of(module).relative_to(ROOT).as_posix()
        summary = definitions(module)[name].replace("|", "\\|").replace("A*", "A\\*")
        rows.append(f"| [`{name}`](../../{source}) | `{'gambol' if full in public else module}` | {summary} |")
        blocks.append(f"<!-- reference: {full} -->")
    table = "\n".join(["| name | import from | |", "|---|---|---|", *rows])
    return f"# {title}\n\n{about}\n\n{table}\n\n" + "\n\n".join(blocks) + "\n"


def start() -> str:
    rows = [
        f"| [{title}]({group}.md) | {about.split('. Guide')[0].rstrip('.')} |"
        for group, (title, about, _) in GROUPS.items()
    ]
    return "\n".join(
        [
            "# Reference\n",
            "The names most programs need are imported from `gambol`; the rest from where the pages say. The site that",
            "`make docs` builds has each name's signature, members and source beneath these tables.\n",
            "| | |",
            "|---|---|",
            *rows,
            "",
        ]
    )


def pages() -> dict[Path, str]:
    """Return all pages of the reference, by their files."""
    return {FOLDER / "README.md": start(), **{FOLDER / f"{group}.md": page(group) for group in GROUPS}}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

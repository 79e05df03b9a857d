"""Write docs/formats: the keys of the files that people write, from their JSON Schemas; a test fails on stale ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SCHEMAS = ROOT / "docs" / "schemas"
FOLDER = ROOT / "docs" / "formats"
INTRODUCTIONS = {
    "scene": "A world and its cast, or an environment and its climbers. With examples: [scenes.md](../scenes.md).",
    "character": "Clips, behaviors and what may follow what. With an example: [character.md](../character.md).",
    "job": "Tasks to bake. With examples: [baking.md](../baking.md).",
}
LIMITS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<", "pattern": "matches"}

Schema = dict[str, Any]


def entry_title(name: str) -> str:
    """Return what an entry's section is called."""
    return {"SceneFile": "Scene file", "ClimbFile": "Climbing scene file"}.get(name, name)


def anchor(name: str) -> str:
    return entry_title(name).lower().replace(" ", "-")


def kind(schema: Schema) -> str:
    """Return what values a schema allows, in words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{entry_title(name)}](#{anchor(name)})"
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(kind(each) for each in schema[several] if each.get("type") != "null"))
    if "allOf" in schema:
        return kind(schema["allOf"][0])
    limits = "".join(f" {sign} {schema[key]}" for key, sign in LIMITS.items() if key in schema and key != "pattern")
    if schema.get("type") == "array":
        if "prefixItems" in schema:
            return "[" + ", ".join(kind(each) for each in schema["prefixItems"]) + "]"
        least, most = schema.get("minItems", 0), schema.get("maxItems")
        count = f"{least} " if least and least == most else f"{least} or more " if least else ""
        return f"list of {count}({kind(schema.get('items', {}))})"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"table of ({kind(values)})" if isinstance(values, dict) else "table"
    return str(schema.get("type", "anything")) + limits


def keys(schema: Schema) -> str:
    """Return the keys of an entry as a Markdown table."""
    rows = ["| key | values | default | meaning |", "|---|---|---|---|"]
    for name, value in schema.get("properties", {}).items():
        default = "**required**" if name in schema.get("required", []) else ""
        if not default and value.get("default") is not None:
            default = f"`{json.dumps(value['default'], ensure_ascii=False)}`"
        cells = (f"`{name}`", kind(value), default, " ".join(value.get("description", "").split()))
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows) if len(rows) > 2 else "No keys."


def about(schema: Schema) -> str:
    return " ".join(schema.get("description", "").split())


def page(name: str) -> str:
    """Return the page of one format."""
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    entries = dict(schema.get("$defs", {}))
    parts = [
        f"# Keys of {name} files",
        f"{INTRODUCTIONS[name]} Written from the schema by `tools/write_formats.py`; editors that know "
        f"JSON Schema complete and check with [{name}.schema.json](../schemas/{name}.schema.json). "
        "Keys that are not listed are refused.",
    ]
    if "properties" in schema:
        parts += [about(schema), keys(schema)]
    tops = [each["$ref"].rpartition("/")[2] for each in schema.get("anyOf", [])]
    for top in (*tops, *sorted(set(entries) - set(tops))):
        parts += [f"## {entry_title(top)}", about(entries[top]), keys(entries[top])]
    return "\n\n".join(part for part in parts if part) + "\n"


def pages() -> dict[Path, str]:
    """Return the pages of all formats, by their files."""
    return {FOLDER / f"{name}.md": page(name) for name in INTRODUCTIONS}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

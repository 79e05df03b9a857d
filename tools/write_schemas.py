"""Write the JSON Schemas of the files that people write into docs/schemas; a test fails where they are stale."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from gambol.character.file_model import CharacterFile
from gambol.scene.climb_model import ClimbFile
from gambol.scene.file_model import SceneFile

FOLDER = Path(__file__).parent.parent / "docs" / "schemas"
SCHEMAS: dict[str, Any] = {"character.schema.json": CharacterFile, "scene.schema.json": SceneFile | ClimbFile}


def schema_text(name: str) -> str:
    """Return a schema as it is written, in the order of the model."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **TypeAdapter(SCHEMAS[name]).json_schema()}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in SCHEMAS:
        (FOLDER / name).write_text(schema_text(name), encoding="utf-8")
        print(FOLDER / name)


if __name__ == "__main__":
    main()

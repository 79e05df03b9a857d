"""Write the JSON Schemas of the files that people write into docs/schemas; a test fails where they are stale."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from gambol.bake.job import JobFile
from gambol.bake.kinds.registry import KINDS
from gambol.characters.file_model import CharacterFile
from gambol.scenes.climb_model import ClimbFile
from gambol.scenes.file_model import SceneFile

FOLDER = Path(__file__).parent.parent / "docs" / "schemas"


def job_schema() -> dict[str, Any]:
    """Return the schema of job files, whose tables of tasks have the keys of their kind."""
    job = JobFile.model_json_schema()
    _, tables = models_json_schema([(kind.model, "validation") for kind in KINDS.values()])
    for name, kind in KINDS.items():
        tables["$defs"][kind.model.__name__]["properties"]["kind"] |= {"const": name}
    references = [{"$ref": f"#/$defs/{kind.model.__name__}"} for kind in KINDS.values()]
    job["properties"]["tasks"] |= {"items": {"oneOf": references}}
    return {**job, **tables}


#: Functions that return schemas, by the files they are written to.
SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "character.schema.json": TypeAdapter(CharacterFile).json_schema,
    "scene.schema.json": TypeAdapter[Any](SceneFile | ClimbFile).json_schema,
    "job.schema.json": job_schema,
}


def schema_text(name: str) -> str:
    """Return a schema as it is written, in the order of the model."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **SCHEMAS[name]()}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in SCHEMAS:
        (FOLDER / name).write_text(schema_text(name), encoding="utf-8")
        print(FOLDER / name)


if __name__ == "__main__":
    main()

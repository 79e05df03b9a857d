"""Read files that people write: TOML, checked against a model; every mistake is listed by its key."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, TypeVar, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, ValidationError

from gambol.errors import EntryProblem, InvalidEntries, MalformedFile
from gambol.files.toml_lines import Key, key_lines

MAX_CHARACTERS = 50_000_000  # the most characters of a text that is read; a hundred thousand clips take a tenth of it
Model = TypeVar("Model", bound=BaseModel)


class Entry(BaseModel):
    """A table of a file: unknown keys, other types and numbers that are not finite are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Describe each key by the docstring below it; to read the sources for each table made would be slow."""
        told = handler(schema)
        keys = handler.resolve_ref_schema(told)["properties"]
        for name, words in _docstrings(cls).items():
            keys[cls.model_fields[name].alias or name]["description"] = words
        return told


def _docstrings(model: type[BaseModel]) -> dict[str, str]:
    """Return the docstrings below the keys of a table."""
    found: dict[str, str] = {}
    for one in reversed(model.__mro__):
        if issubclass(one, Entry) and one is not Entry:
            body = cast(ast.ClassDef, ast.parse(textwrap.dedent(inspect.getsource(one))).body[0]).body
            for key, below in pairwise(body):
                if isinstance(key, ast.AnnAssign) and isinstance(below, ast.Expr):
                    words = str(cast(ast.Constant, below.value).value)
                    found[cast(ast.Name, key.target).id] = inspect.cleandoc(words)
    return found


class Problems:
    """Mistakes in one text, gathered so that one error lists them all."""

    def __init__(self, text: str) -> None:
        self.text = text
        # Each mistake once, in order; where a key is missing, with all keys that would do.
        self._found: dict[tuple[Key, str], tuple[Key, ...]] = {}
        self._meant: set[Key] = set()  # keys that misspelt ones stand for

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, key: Key, message: str) -> None:
        self._found[key, message] = ()

    def add_missing(self, key: Key, message: str = "is missing", *, any_of: Sequence[str] = ()) -> None:
        """Add that a key is missing, or any of several in a table; nothing, where one of them is there misspelt."""
        self._found[key, message] = tuple((*key, name) for name in any_of) or (key,)

    def add_unknown_key(self, key: Key, known: Sequence[str]) -> None:
        """Add a key that does not exist, with the one that is near."""
        self._meant.update((*key[:-1], name) for name in get_close_matches(str(key[-1]), known, n=1))
        self.add(key, f"is an unknown key{_suggestion(str(key[-1]), known)}")

    def add_unknown(self, key: Key, kind: str, name: str, known: Sequence[str]) -> None:
        """Add a name that does not exist, and suggest a near one."""
        self.add(key, f"no {kind} {name!r}{_suggestion(name, known)}")

    def listed(self) -> list[EntryProblem]:
        """Return the mistakes in the order of the file's lines."""
        lines = key_lines(self.text)
        problems = [EntryProblem(shown_key(key), message, _line(lines, key)) for key, message in self._told()]
        return sorted(problems, key=lambda problem: problem.line or 0)

    def _told(self) -> list[tuple[Key, str]]:
        return [mistake for mistake, lacking in self._found.items() if not self._meant.intersection(lacking)]

    def raise_if_any(self) -> None:
        if self._found:
            raise InvalidEntries(self.listed())


def parse_json_file(text: str, what: str, format_name: str, version: int) -> dict[str, Any]:
    """Return the contents of one of our JSON files, if it has this format and version."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise MalformedFile(f"this is not JSON: {error.msg}", line=error.lineno) from None
    except (ValueError, RecursionError) as error:  # numbers of too many digits, brackets in brackets
        raise MalformedFile(f"this JSON cannot be read: {error}") from None
    if not isinstance(data, dict) or data.get("format") != format_name:
        raise MalformedFile(f'this is no {what} file: it does not say "format": "{format_name}"')
    if data.get("version") != version:
        raise MalformedFile(f"version {data.get('version')!r} of {what} files is not known, only {version}")
    return data


def parse_toml(text: str) -> dict[str, Any]:
    """Return a TOML text as plain dictionaries and lists; a mistake in its syntax is an error with its line."""
    if len(text) > MAX_CHARACTERS:
        raise MalformedFile(f"{len(text):,} characters are more than the {MAX_CHARACTERS:,} that are read")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).partition(" (at ")
        line = next((int(word) for word in place.replace(",", " ").split() if word.isdigit()), None)
        raise MalformedFile(f"this is not TOML: {message}", line=line or text.count("\n") + 1) from None
    except RecursionError:
        raise MalformedFile("this TOML is nested too deeply") from None


def validate(model: type[Model], data: object, problems: Problems, *, at: Key = ()) -> Model | None:
    """Return data as a model, or None after adding all its mistakes."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        for details in error.errors(include_url=False):
            _describe(model, data, details, at, problems)
        return None


def readable(model: type[Model], data: object) -> Model | None:
    """Return data as a model, or None if it has any mistake: to look at the tables around a mistake."""
    try:
        return model.model_validate(data)
    except ValidationError:
        return None


def tables(values: object) -> list[dict[str, Any]]:
    """Return an array of tables; other values become empty tables, so that indices stay."""
    return [value if isinstance(value, dict) else {} for value in values] if isinstance(values, list) else []


def shown_key(key: Key) -> str:
    """Write a key as people do: behaviors[3].clips[0].first."""
    text = ""
    for part in key:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _describe(model: type[BaseModel], data: object, details: Mapping[str, Any], at: Key, problems: Problems) -> None:
    """Add what a model finds wrong, in our words."""
    location = _existing(data, details["loc"])
    key, kind = (*at, *location), details["type"]
    if kind == "missing":
        return problems.add_missing(key)
    if kind == "extra_forbidden":
        return problems.add_unknown_key(key, _fields_at(model, location[:-1]))
    problems.add(key, _worded(key, kind, details))


def _worded(key: Key, kind: str, details: Mapping[str, Any]) -> str:
    message = details["msg"].removeprefix("Value error, ").replace("Input should be ", "must be ", 1)
    value = details["input"]
    if kind == "literal_error" and isinstance(value, str):
        return f"{message}, not {value!r}"
    if kind == "list_type" and isinstance(value, Mapping):
        name = shown_key(key)
        return f"must be a list, not a table; for a list of tables write [[{name}]], not [{name}]"
    shown = repr(value) if isinstance(value, (str, int, float, bool)) else f"a {type(value).__name__}"
    return message if kind == "value_error" else f"{message}, not {shown[:60]}"


def _existing(data: object, location: Sequence[str | int]) -> Key:
    """Return a location without the parts that are no keys of the data: pydantic also names branches of unions."""
    kept: list[str | int] = []
    for part in location:
        if isinstance(data, Mapping) and isinstance(part, str):
            kept.append(part)
            data = data.get(part)
        elif isinstance(data, list) and isinstance(part, int):
            kept.append(part)
            data = data[part] if part < len(data) else None
    return tuple(kept)


def _fields_at(model: type[BaseModel], location: Key) -> list[str]:
    """Return the keys allowed in the table at a location."""
    current: type[BaseModel] | None = model
    for part in location:
        if isinstance(part, str) and current is not None:
            field = current.model_fields.get(part)
            current = None if field is None else _model_in(field.annotation)
    return [] if current is None else list(current.model_fields)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Find the model in an annotation such as list[Model] or Model | None."""
    if get_origin(annotation) is None and isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part)) is not None), None)


def _suggestion(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name, known, n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    shown = ", ".join(sorted(known)[:12]) + (", …" if len(known) > 12 else "")
    return f"; there are: {shown}" if known else ""


def _line(lines: Mapping[Key, int], key: Key) -> int | None:
    """Return the line of a key, or of the nearest table around it."""
    for length in range(len(key), 0, -1):
        if key[:length] in lines:
            return lines[key[:length]]
    return None

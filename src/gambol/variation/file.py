"""Models of variation as files: an opened model draws the same samples; a damaged file is refused.

docs/variation.md describes the format.  A model is small, so its checksum is verified whenever it is opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from gambol import __version__
from gambol.errors import FileProblem, InvalidInput, MalformedFile
from gambol.files.safetensors_file import SafetensorsFile, open_safetensors, plain_json, strict_json, write_safetensors
from gambol.geometry.arrays import frozen_array
from gambol.motion.contacts import ContactPoint, Contacts
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton
from gambol.variation.encoding import ROOT_NAMES, Dropped, Encoding
from gambol.variation.examples import Example, Examples
from gambol.variation.model import PRESETS, VariationModel, restored

FORMAT = "gambol variation model"
VERSION = 1
SUFFIX = ".variation"
SKELETON_ARRAYS = ("parents", "offsets", "tip_parents", "tip_offsets")  # in the file after "skeleton."
ENCODING_ARRAYS = ("means", "columns", "spread")  # in the file after "encoding."
EXAMPLE_ARRAYS = ("root_positions", "rotations", "planted", "values")  # in the file after "example.0." and so on
TEXTS = (
    *("format", "version", "gambol", "preset", "learned", "examples", "cyclic"),
    *("rate_hz", "root", "joints", "points", "dropped", "checksum"),
)
SAMPLER = "sampler."  # prefix of the sampler's arrays in the file
SAME_NUMBERS = 1e-6  # largest difference between stored numbers and those of the stored motion


def write_model(path: Path | str, model: VariationModel) -> None:
    """Write a model; the same model gives the same bytes, whole or not at all."""
    examples, encoding = model.examples, model.examples.encoding
    learned, values = model.sampler.as_arrays()
    skeleton = encoding.skeleton
    arrays: dict[str, np.ndarray] = {f"skeleton.{name}": getattr(skeleton, name) for name in SKELETON_ARRAYS}
    arrays |= {f"encoding.{name}": getattr(encoding, name) for name in ENCODING_ARRAYS}
    for number, (item, numbers) in enumerate(zip(examples.items, examples.values, strict=True)):
        arrays |= {
            f"example.{number}.root_positions": item.motion.root_positions,
            f"example.{number}.rotations": item.motion.rotations,
            f"example.{number}.planted": item.contacts.planted,
            f"example.{number}.values": numbers,
        }
        if item.motion.translations is not None:
            arrays[f"example.{number}.translations"] = item.motion.translations
    arrays |= {f"{SAMPLER}{name}": np.asarray(array) for name, array in learned.items()}
    texts = {
        "format": FORMAT,
        "version": str(VERSION),
        "gambol": __version__,
        "preset": model.preset,
        "learned": plain_json(values, "learned"),
        "examples": plain_json([item.name for item in examples.items], "examples"),
        "cyclic": plain_json(examples.cyclic, "cyclic"),
        "rate_hz": plain_json(encoding.rate_hz, "rate_hz"),
        "root": encoding.root,
        "joints": plain_json(skeleton.names, "joints"),
        "points": plain_json(examples.items[0].contacts.points, "points"),
        "dropped": plain_json(encoding.dropped, "dropped"),
    }
    write_safetensors(path, arrays, texts)


def read_model(path: Path | str) -> VariationModel:
    """Open a model; a file that is cut, altered, of another version or out of joint is refused with a reason."""
    try:
        return model_from(open_safetensors(path))
    except FileProblem as problem:
        raise problem.in_file(path) from None
    except InvalidInput as problem:
        raise MalformedFile(str(problem), path=path) from None


def model_from(opened: SafetensorsFile) -> VariationModel:
    """Return the model whose arrays and texts a container holds."""
    texts, arrays = opened.metadata, opened.arrays
    if texts.get("format") != FORMAT:
        raise MalformedFile(f"this is a safetensors file, but no model of variation: no format {FORMAT!r}")
    if texts.get("version") != str(VERSION):
        raise MalformedFile(
            f"a model of variation of version {texts.get('version', 'unknown')[:20]}, expected {VERSION}; learn it anew"
        )
    if not opened.is_intact:
        raise MalformedFile("the checksum is wrong: the file was altered or damaged; learn the model anew")
    for name in TEXTS:
        if name not in texts:
            raise MalformedFile(f"among the texts of the file there is no {name!r}")
    for name, array in arrays.items():
        if not np.all(np.isfinite(array)):
            raise MalformedFile(f"{name} must be finite numbers")
    preset, learned = texts["preset"], strict_json(texts["learned"], "learned")
    if preset not in PRESETS:
        raise MalformedFile(f"no preset {preset[:40]!r}; there are: {', '.join(PRESETS)}")
    if not isinstance(learned, dict):
        raise MalformedFile("learned must be a JSON object")
    examples = _examples(opened)
    own = {name.removeprefix(SAMPLER): array for name, array in arrays.items() if name.startswith(SAMPLER)}
    try:
        return VariationModel(preset, examples, restored(preset, examples, own, learned))
    except (KeyError, IndexError, TypeError, ValueError) as problem:
        raise MalformedFile(f"the arrays of the {preset} preset do not fit together: {problem}") from None


def _examples(opened: SafetensorsFile) -> Examples:
    """Return the motions in a file and the numbers that stand for them."""
    texts = opened.metadata
    names = _texts_of(texts, "examples")
    rate, cyclic, root = strict_json(texts["rate_hz"], "rate_hz"), strict_json(texts["cyclic"], "cyclic"), texts["root"]
    if type(rate) not in (float, int) or not isinstance(cyclic, bool):
        raise MalformedFile("rate_hz must be a number and cyclic true or false")
    if root not in ROOT_NAMES:
        raise MalformedFile(f"root must be one of {', '.join(ROOT_NAMES)}")
    skeleton = Skeleton(_texts_of(texts, "joints"), *(_array(opened, f"skeleton.{name}") for name in SKELETON_ARRAYS))
    means, columns, spread = (_array(opened, f"encoding.{name}") for name in ENCODING_ARRAYS)
    if means.shape != (skeleton.joint_count, 4) or columns.ndim != 1:
        raise MalformedFile(f"encoding.means must be of shape ({skeleton.joint_count}, 4) and encoding.columns a row")
    if len(columns) and not (int(columns.min()) >= 3 and int(columns.max()) < 3 * skeleton.joint_count):
        raise MalformedFile("encoding.columns tells of joints that the skeleton does not have")
    if not np.all(spread > 0.0):
        raise MalformedFile("encoding.spread must be positive numbers")
    encoding = Encoding(skeleton, float(rate), root, means, columns, spread, _dropped(texts["dropped"]))
    points = _points(texts["points"], skeleton)
    items, values = [], []
    for number, name in enumerate(names):
        item, numbers = _example(opened, f"example.{number}.", name, encoding, points)
        items.append(item)
        values.append(numbers)
    if not items:
        raise MalformedFile("there are no examples in the file")
    return Examples(tuple(items), encoding, tuple(values), cyclic)


def _example(
    opened: SafetensorsFile, place: str, name: str, encoding: Encoding, points: tuple[ContactPoint, ...]
) -> tuple[Example, np.ndarray]:
    positions, rotations, planted, values = (_array(opened, f"{place}{part}") for part in EXAMPLE_ARRAYS)
    motion = Motion(
        encoding.skeleton, encoding.rate_hz, positions, rotations, opened.arrays.get(f"{place}translations")
    )
    if len(planted) != motion.frame_count:
        raise MalformedFile(f"{place}planted must have a row for each of {motion.frame_count} frames")
    expected = encoding.encode(motion)
    if values.shape != expected.shape or not np.allclose(values, expected, rtol=0.0, atol=SAME_NUMBERS):
        raise MalformedFile(f"{place}values are not the numbers of their motion")
    return Example(motion, Contacts(points, planted, Ground(0.0)), name), frozen_array(values)


def _array(opened: SafetensorsFile, name: str) -> np.ndarray:
    if name not in opened.arrays:
        raise MalformedFile(f"among the arrays of the file there is no {name!r}")
    return opened.arrays[name]


def _texts_of(texts: Mapping[str, str], name: str) -> list[str]:
    found = strict_json(texts[name], name)
    if not (isinstance(found, list) and all(isinstance(one, str) for one in found)):
        raise MalformedFile(f"{name} must be a list of texts")
    return found


def _dropped(text: str) -> tuple[Dropped, ...]:
    listed = strict_json(text, "dropped")
    if not (isinstance(listed, list) and all(_are(one, (str, str)) for one in listed)):
        raise MalformedFile("dropped must be a list of names and reasons")
    return tuple(Dropped(*one) for one in listed)


def _points(text: str, skeleton: Skeleton) -> tuple[ContactPoint, ...]:
    listed = strict_json(text, "points")
    if not (isinstance(listed, list) and all(_are(one, (str, int, list)) for one in listed)):
        raise MalformedFile("points must be a list of names, joints and offsets")
    for name, joint, offset in listed:
        if not (0 <= joint < skeleton.joint_count and _are(offset, (float, float, float))):
            raise MalformedFile(f"points: {name[:40]!r} needs a joint of the skeleton and an offset of three numbers")
    return tuple(ContactPoint(name, joint, tuple(offset)) for name, joint, offset in listed)


def _are(values: object, kinds: tuple[type, ...]) -> bool:
    return (
        isinstance(values, list)
        and len(values) == len(kinds)
        and all(type(value) is kind for value, kind in zip(values, kinds, strict=True))
    )

"""Which joints of a model move together: parents in a network, or deviations that rise and fall together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.geometry.arrays import FloatArray
from gambol.variation.examples import Examples
from gambol.variation.model import VariationModel

PHASES = 60  # number of phases at which deviations are compared


class Links(NamedTuple):
    """How strongly joints depend on each other."""

    joints: tuple[str, ...]  # (N) the joints that vary
    strength: FloatArray  # (N, N) effect of the second on the first: share of possible parents, or correlation
    directed: bool  # true for parents; correlations go both ways and may be negative


def links_of(model: VariationModel) -> Links:
    """Return the links of a model: a network's parents, or how the examples' deviations correlate."""
    arrays, _ = model.sampler.as_arrays()
    if "transition" in arrays:
        return _parents(model.examples, np.asarray(arrays["transition"], dtype=bool))
    return _correlations(model.examples, arrays.get("warps"))


def _parents(examples: Examples, transition: NDArray[np.bool_]) -> Links:
    count = examples.encoding.count
    edges = transition.reshape(count, 2, count).sum(axis=1) / 2.0
    groups, names = _joints(examples)
    strength = np.array([[edges[np.ix_(one, other)].mean() for other in groups] for one in groups])
    return Links(names, strength, True)


def _correlations(examples: Examples, warps: FloatArray | None) -> Links:
    """Return how deviations from the examples' mean, at the same phase, correlate: the strongest pair counts."""
    at = [
        np.linspace(0.0, len(values) - 1.0, PHASES)
        if warps is None
        else np.interp(np.linspace(0.0, 1.0, PHASES), np.linspace(0.0, 1.0, warps.shape[1]), warps[number])
        for number, values in enumerate(examples.values)
    ]
    curves = np.stack(
        [
            np.stack([np.interp(frames, np.arange(len(values)), column) for column in values.T], axis=-1)
            for values, frames in zip(examples.values, at, strict=True)
        ]
    )
    deviations = (curves - curves.mean(axis=0)).reshape(-1, examples.encoding.count)
    width = np.sqrt(np.mean(deviations**2, axis=0))
    scaled = np.where(width > 0.0, deviations / np.maximum(width, 1e-12), 0.0)
    together = scaled.T @ scaled / len(scaled)
    groups, names = _joints(examples)
    strength = np.eye(len(groups))
    for a, one in enumerate(groups):
        for b, other in enumerate(groups[:a]):
            block = together[np.ix_(one, other)]
            strength[a, b] = strength[b, a] = block.flat[int(np.abs(block).argmax())]
    return Links(names, strength, False)


def _joints(examples: Examples) -> tuple[list[NDArray[np.intp]], tuple[str, ...]]:
    """Return the columns of each joint that varies, and its name."""
    joints = examples.encoding.joints
    found = [int(joint) for joint in dict.fromkeys(joints.tolist())]
    return [np.flatnonzero(joints == joint) for joint in found], tuple(examples.skeleton.names[j] for j in found)

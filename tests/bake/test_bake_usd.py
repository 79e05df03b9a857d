"""The top stage of a job: one payload a shot, on one clock, each where it can be seen, as the USD library wants it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.support.bake_jobs import PLAN, VARIATION, bake_in, job_in, write_files

from gambol.bake.baking import Baked
from gambol.bake.shots import write_top_stage
from gambol.errors import InvalidInput, MalformedFile
from gambol.files import Shot, write_shots

pxr = pytest.importorskip("pxr", reason="the USD library is not installed")
from pxr import Usd, UsdGeom, UsdSkel  # noqa: E402


@pytest.fixture(scope="module")
def baked(tmp_path_factory: pytest.TempPathFactory) -> Baked:
    """Two plans, variants of a walk at another rate, and a task without USD."""
    files = write_files(tmp_path_factory.mktemp("files"))
    tables = PLAN + VARIATION.replace("[0.5, 1.0]", "1.0").replace('"variation", "bvh", ', "").replace(
        "count = 2", "count = 3\nrate_hz = 30.0"
    )
    tables += PLAN.replace('"usda"', '"plan.json"').replace('kind = "plan"', 'kind = "plan"\nname = "words"')
    baked = bake_in(tmp_path_factory.mktemp("out"), job_in(files, tables, name="shots"))
    assert baked.complete, baked.failures
    return baked


@pytest.fixture(scope="module")
def stage(baked: Baked) -> Usd.Stage:
    path = write_top_stage(baked)
    assert path == baked.store.folder / "shots.usda"
    return Usd.Stage.Open(str(path))


def _roots(stage: Usd.Stage) -> list[Usd.Prim]:
    return [prim for prim in stage.Traverse() if prim.IsA(UsdSkel.Root)]


def _hips(root: Usd.Prim, code: float) -> np.ndarray:
    """Return where the first joint of a character is."""
    cache = UsdSkel.Cache()
    cache.Populate(UsdSkel.Root(root), Usd.PrimDefaultPredicate)
    skeleton = UsdSkel.Skeleton(next(one for one in root.GetChildren() if one.IsA(UsdSkel.Skeleton)))
    transforms = cache.GetSkelQuery(skeleton).ComputeJointWorldTransforms(UsdGeom.XformCache(code))
    return np.array(transforms[0].ExtractTranslation())


def test_every_shot_is_a_payload_with_all_its_characters(stage: Usd.Stage):
    shots = stage.GetDefaultPrim().GetChildren()
    assert [shot.GetName() for shot in shots] == ["yard_seed_0", "yard_seed_1", "walk_seed_0"]
    assert [shot.GetDisplayName() for shot in shots] == ["yard-seed-0", "yard-seed-1", "walk-seed-0"]
    assert all(shot.HasAuthoredPayloads() and shot.IsA(UsdGeom.Xform) for shot in shots)
    names = [str(prim.GetPath()) for prim in _roots(stage)]
    assert names[:4] == [f"/World/yard_seed_{seed}/{name}" for seed in (0, 1) for name in ("Ann", "Bob")]
    assert len(names) == 4 + 3


def test_nothing_is_loaded_before_it_is_asked_for(baked: Baked, stage: Usd.Stage):
    empty = Usd.Stage.Open(str(baked.store.folder / "shots.usda"), Usd.Stage.LoadNone)
    assert _roots(empty) == []
    empty.Load("/World/yard_seed_1")
    assert len(_roots(empty)) == 2


def test_the_stage_can_be_moved_with_its_folder(baked: Baked, stage: Usd.Stage):
    text = (baked.store.folder / "shots.usda").read_text()
    assert str(baked.store.folder) not in text
    assert text.count("@./results/") == 3


def test_axes_unit_and_time_are_those_of_the_shots(stage: Usd.Stage):
    assert UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.z
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert stage.GetTimeCodesPerSecond() == stage.GetFramesPerSecond() == 60.0  # the statues'; the walks have 30
    assert stage.GetStartTimeCode() == 0.0
    lasts = [Usd.Stage.Open(layer.realPath) for layer in stage.GetUsedLayers() if "results" in layer.realPath]
    longest_s = max(one.GetEndTimeCode() / one.GetTimeCodesPerSecond() for one in lasts)
    assert stage.GetEndTimeCode() == pytest.approx(60.0 * longest_s)
    walk = stage.GetPrimAtPath("/World/walk_seed_0")
    own = Usd.Stage.Open(next(one.GetRootLayer().realPath for one in lasts if one.GetTimeCodesPerSecond() == 30.0))
    first, shown = _roots(own)[0], _roots(stage)[4]
    shift = UsdGeom.XformCache().GetLocalToWorldTransform(walk).ExtractTranslation()
    for seconds in (0.0, 0.5, 1.0):
        there = _hips(shown, 60.0 * seconds) - np.array(shift)
        np.testing.assert_allclose(there, _hips(first, 30.0 * seconds), rtol=0, atol=1e-6)


def test_shots_lie_apart_or_where_their_worlds_are(stage: Usd.Stage):
    variants = stage.GetDefaultPrim().GetVariantSets().GetVariantSet("layout")
    assert variants.GetVariantSelection() == "apart"
    assert sorted(variants.GetVariantNames()) == ["apart", "in_place"]
    boxes = []
    for shot in stage.GetDefaultPrim().GetChildren():
        found = UsdGeom.BBoxCache(0.0, [UsdGeom.Tokens.default_]).ComputeWorldBound(shot).ComputeAlignedRange()
        boxes.append((np.array(found.GetMin())[:2], np.array(found.GetMax())[:2]))
    for number, (low, high) in enumerate(boxes):
        for other_low, other_high in boxes[:number]:
            assert (high < other_low).any() or (low > other_high).any()
    apart = [_hips(root, 0.0) for root in _roots(stage)[:4]]
    variants.SetVariantSelection("in_place")
    seeds = [_hips(root, 0.0) for root in _roots(stage)[:4]]
    variants.SetVariantSelection("apart")
    np.testing.assert_allclose(seeds[:2], seeds[2:])
    assert np.linalg.norm(apart[0] - apart[2]) > 10.0
    np.testing.assert_allclose(seeds[0][:2], (2.0, 3.0), atol=0.2)


def test_the_library_validates_the_stage_and_its_shots(baked: Baked, stage: Usd.Stage):
    validation = pytest.importorskip("pxr.UsdValidation", reason="the rules of usdchecker come with newer versions")
    validators = validation.ValidationRegistry().GetOrLoadAllValidators()
    assert len(validators) >= 20
    assert [error.GetMessage() for error in validation.ValidationContext(validators).Validate(stage)] == []


def test_the_same_job_gives_the_same_stage(baked: Baked, stage: Usd.Stage):
    path = baked.store.folder / "shots.usda"
    before = path.read_bytes()
    write_top_stage(baked)
    assert path.read_bytes() == before


def test_a_job_without_shots_has_no_stage(tmp_path: Path):
    files = write_files(tmp_path)
    baked = bake_in(tmp_path / "out", job_in(files, PLAN.replace('"usda"', "")))
    assert write_top_stage(baked) is None
    assert not list((tmp_path / "out").glob("*.usda"))


def test_a_stage_of_nothing_or_of_what_is_no_shot_is_refused(tmp_path: Path):
    with pytest.raises(InvalidInput, match="at least one"):
        write_shots(tmp_path / "a.usda", [])
    (tmp_path / "b.usda").write_text("no")
    with pytest.raises(MalformedFile, match=r"b\.usda.*cannot open"):
        write_shots(tmp_path / "a.usda", [Shot("b", "b.usda", (0.0, 0.0, 1.0, 1.0))])

"""Build a UsdSkel stage of a crowd in memory.  Imports pxr: import this module only where it is needed."""

# pyright: reportAttributeAccessIssue=false
# The USD library is C++ and comes without stubs.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pxr import Kind, Sdf, Usd, UsdGeom, UsdSkel, Vt

from gambol.body.skin import Skin
from gambol.files.reading import unique_names
from gambol.files.usd.mesh import define_mesh
from gambol.files.usd.names import joint_tokens, legal_names
from gambol.files.usd.stage import (
    WORLD,
    bind_transforms,
    define_animation,
    define_skeleton,
    skin_extents,
    time_codes,
)

if TYPE_CHECKING:
    from gambol.files.usd.write_crowd import CrowdMember

CHARACTERS = f"{WORLD}/Characters"  # path of the members
PROTOTYPES = f"{WORLD}/Prototypes"  # path of one model for each kind, where members are instances
ANIMATIONS = f"{WORLD}/Animations"  # path of the members' animations, where members are instances


class UsdCrowdStage:
    """A stage to which members are added."""

    def __init__(self, rate_hz: float, from_s: float, until_s: float, *, instanced: bool) -> None:
        self.layer = Sdf.Layer.CreateAnonymous(".usda")
        self.layer.customLayerData = {"creator": "Gambol"}
        self._stage = stage = Usd.Stage.Open(self.layer)
        self._rate_hz, self._instanced = rate_hz, instanced
        UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
        UsdGeom.SetStageMetersPerUnit(stage, 1.0)
        stage.SetTimeCodesPerSecond(rate_hz)
        stage.SetFramesPerSecond(rate_hz)
        stage.SetStartTimeCode(from_s * rate_hz)
        stage.SetEndTimeCode(until_s * rate_hz)
        for path in (WORLD, CHARACTERS):
            Usd.ModelAPI(UsdGeom.Xform.Define(stage, path).GetPrim()).SetKind(Kind.Tokens.group)
        stage.SetDefaultPrim(stage.GetPrimAtPath(WORLD))
        if instanced:
            stage.CreateClassPrim(PROTOTYPES)
            UsdGeom.Scope.Define(stage, ANIMATIONS)

    def add(self, members: Sequence[CrowdMember], skins: Mapping[str, Skin]) -> None:
        """Add members, whose kinds are the keys of the skins."""
        kinds = dict(zip(skins, legal_names(list(skins)), strict=True))
        names, _ = unique_names(member.name for member in members)
        for member, legal in zip(members, legal_names(names), strict=True):
            path = f"{CHARACTERS}/{legal}"
            root = self._instance(path, member, kinds[member.kind], skins[member.kind])
            Usd.ModelAPI(root.GetPrim()).SetKind(Kind.Tokens.component)
            if legal != member.name:
                root.GetPrim().SetDisplayName(member.name)
            animation = f"{ANIMATIONS}/{legal}" if self._instanced else f"{path}/Animation"
            self._animate(root, animation, member, skins[member.kind])

    def _instance(self, path: str, member: CrowdMember, kind: str, skin: Skin) -> UsdSkel.Root:
        if not self._instanced:
            return self._define_model(path, member, skin)
        prototype = f"{PROTOTYPES}/{kind}"
        if not self._stage.GetPrimAtPath(prototype):
            self._define_model(prototype, member, skin)
        root = UsdSkel.Root.Define(self._stage, path)
        root.GetPrim().GetReferences().AddInternalReference(prototype)
        root.GetPrim().SetInstanceable(True)
        return root

    def _define_model(self, path: str, member: CrowdMember, skin: Skin) -> UsdSkel.Root:
        """Define the common parts of a kind: skeleton, mesh and material, without an animation."""
        root = UsdSkel.Root.Define(self._stage, path)
        motion = member.motion
        skeleton = define_skeleton(self._stage, f"{path}/Skeleton", motion, joint_tokens(motion.skeleton))
        skeleton.CreateBindTransformsAttr(bind_transforms(skin.skeleton, motion.skeleton))
        mesh = define_mesh(self._stage, path, skin)
        UsdSkel.BindingAPI(mesh).CreateSkeletonRel().SetTargets([skeleton.GetPath()])
        return root

    def _animate(self, root: UsdSkel.Root, path: str, member: CrowdMember, skin: Skin) -> None:
        """Bind an animation to a root, so that the skeleton below inherits it; hide the member outside its time."""
        motion = member.motion
        times = member.start_s * self._rate_hz + time_codes(motion, self._rate_hz)
        animation = define_animation(self._stage, path, motion, joint_tokens(motion.skeleton), times)
        binding = UsdSkel.BindingAPI.Apply(root.GetPrim())
        binding.CreateAnimationSourceRel().SetTargets([animation.GetPath()])
        extents = root.CreateExtentAttr()
        for time, extent in zip(times, skin_extents(motion, skin), strict=True):
            extents.Set(Vt.Vec3fArray.FromNumpy(extent), time)
        self._hide(root, float(times[0]), float(times[-1]))

    def _hide(self, root: UsdSkel.Root, first: float, last: float) -> None:
        begins, ends = first > self._stage.GetStartTimeCode(), last < self._stage.GetEndTimeCode()
        if not (begins or ends):
            return
        visibility = root.CreateVisibilityAttr()
        if begins:
            visibility.Set(UsdGeom.Tokens.invisible, self._stage.GetStartTimeCode())
        visibility.Set(UsdGeom.Tokens.inherited, first)
        if ends:
            visibility.Set(UsdGeom.Tokens.invisible, last + 1.0)

"""A skin as a UsdGeom mesh bound to joints, with a matte clay material."""

# pyright: reportAttributeAccessIssue=false
# The USD library is C++ and comes without stubs.

from __future__ import annotations

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade, UsdSkel, Vt

from gambol.body.skin import Skin

CLAY = Gf.Vec3f(0.56, 0.40, 0.31)  # linear RGB, 0 to 1: a warm mid tone that shows shading in any light
ROUGHNESS = 0.85  # 0 to 1; larger: more matte


def define_mesh(stage: Usd.Stage, root: str, skin: Skin) -> Usd.Prim:
    """Define the mesh and its material under a character's root; the caller binds the skeleton."""
    mesh = UsdGeom.Mesh.Define(stage, f"{root}/Skin")
    points = skin.vertices.astype(np.float32)
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
    mesh.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(mesh.GetPointsAttr().Get()))
    mesh.CreateFaceVertexCountsAttr(Vt.IntArray(len(skin.triangles), 3))
    mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(skin.triangles.astype(np.int32).ravel()))
    mesh.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(skin.normals.astype(np.float32)))
    mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    # Subdivision would round off a mesh that is already smooth, and ignore the normals.
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateDisplayColorPrimvar(UsdGeom.Tokens.constant).Set([CLAY])
    _bind_joints(mesh.GetPrim(), skin)
    material = _define_clay(stage, f"{root}/Materials")
    UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(material)
    return mesh.GetPrim()


def _bind_joints(mesh: Usd.Prim, skin: Skin) -> None:
    binding = UsdSkel.BindingAPI.Apply(mesh)
    influences = skin.joints.shape[1]
    indices = Vt.IntArray.FromNumpy(skin.joints.astype(np.int32).ravel())
    weights = Vt.FloatArray.FromNumpy(skin.weights.astype(np.float32).ravel())
    binding.CreateJointIndicesPrimvar(False, influences).Set(indices)
    binding.CreateJointWeightsPrimvar(False, influences).Set(weights)
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(1.0))


def _define_clay(stage: Usd.Stage, scope: str) -> UsdShade.Material:
    UsdGeom.Scope.Define(stage, scope)
    material = UsdShade.Material.Define(stage, f"{scope}/Clay")
    shader = UsdShade.Shader.Define(stage, f"{scope}/Clay/Surface")
    shader.CreateIdAttr("UsdPreviewSurface")
    shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(CLAY)
    shader.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(ROUGHNESS)
    shader.CreateInput("metallic", Sdf.ValueTypeNames.Float).Set(0.0)
    material.CreateSurfaceOutput().ConnectToSource(shader.CreateOutput("surface", Sdf.ValueTypeNames.Token))
    return material

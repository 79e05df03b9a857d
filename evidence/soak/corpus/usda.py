"""USDA files typed by hand, with features that our own writer does not use."""

from __future__ import annotations

_STAGE = """\
#usda 1.0
(
    defaultPrim = "World"
    metersPerUnit = {metres}
    upAxis = "{up}"
    timeCodesPerSecond = 24
    framesPerSecond = 24
    startTimeCode = 1
    endTimeCode = 3
)

def Xform "World"
{{
    double3 xformOp:translate = (0, 10, 0)
    float3 xformOp:rotateXYZ = (0, 90, 0)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ"]

    def SkelRoot "Dancer" (
        prepend apiSchemas = ["SkelBindingAPI"]
    )
    {{
        rel skel:animationSource = </World/Dancer/Moves>

        def Skeleton "Skel" (
            prepend apiSchemas = ["SkelBindingAPI"]
        )
        {{
            uniform token[] joints = ["Hips", "Hips/Spine", "Hips/Leg"]
            uniform matrix4d[] bindTransforms = [
                ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 90, 0, 1) ),
                ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 120, 0, 1) ),
                ( (0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (10, 85, 0, 1) )
            ]
            uniform matrix4d[] restTransforms = [
                ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 90, 0, 1) ),
                ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 30, 0, 1) ),
                ( (0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (10, -5, 0, 1) )
            ]
            rel skel:animationSource = </World/Dancer/Moves>
        }}

        def SkelAnimation "Moves"
        {{
            uniform token[] joints = [{joints}]
{animation}
        }}
    }}
}}
"""
_SAMPLED = """\
            float3[] translations.timeSamples = {
                1: [(0, 90, 0), (0, 30, 0), (10, -5, 0)],
                2: [(1, 91, 0), (0, 30, 0), (10, -5, 0)],
                3: [(2, 90, 1), (0, 30, 0), (10, -5, 0)],
            }
            quatf[] rotations.timeSamples = {
                1: [(1, 0, 0, 0), (1, 0, 0, 0), (0.7071, 0, 0, 0.7071)],
                2: [(0.9, 0.1, 0.3, 0.2), (1, 0, 0, 0), (0.7071, 0, 0, 0.7071)],
                3: [(1, 0, 0, 0), (0.8, 0.6, 0, 0), (0.7071, 0, 0, -0.7071)],
            }
            half3[] scales = [(1, 1, 1), (1, 1, 1), (1, 1, 1)]"""
_PARTIAL = """\
            float3[] translations = [(10, -5, 0)]
            quatf[] rotations.timeSamples = {
                1: [(1, 0, 0, 0)],
                3: [(0.6, 0.8, 0, 0)],
            }
            half3[] scales = [(1, 1, 1)]"""


def hand_made_usda() -> list[bytes]:
    """Return a stage that samples all joints and one that samples a single one."""
    every = '"Hips", "Hips/Spine", "Hips/Leg"'
    return [
        _STAGE.format(metres=0.01, up="Y", joints=every, animation=_SAMPLED).encode(),
        _STAGE.format(metres=1.0, up="Z", joints='"Hips/Leg"', animation=_PARTIAL).encode(),
    ]

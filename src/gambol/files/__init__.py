"""Motion formats and other files: BVH, glTF, USD, ASF/AMC, meshes."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".asf_amc": "AcclaimSkeleton parse_amc parse_asf",
        ".bvh": "parse_bvh read_bvh to_bvh write_bvh",
        ".disk": "check_writable read_bytes write_atomically",
        ".entries": "Entry Problems parse_toml tables",
        ".folders": "file_into_place into_place lent out_of_place sweep",
        ".formats": "ReadOptions read_motion write_motion",
        ".gltf": "parse_gltf read_gltf to_glb",
        ".grey_image": "read_grey_image",
        ".reading": "Reading",
        ".safetensors_file": "SafetensorsFile open_safetensors parse_safetensors write_safetensors",
        ".toml_lines": "key_lines",
        ".usd": "read_usd write_usd",
        ".usd.write_crowd": "CrowdMember write_crowd_usd",
        ".usd.write_shots": "Shot write_shots",
    },
)

"""What a browser says to the viewer and hears from it, without drawing anything."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import viser
import websockets
import zstandard
from viser import _messages as messages

from gambol.view.stage import FIELD_OF_VIEW_RAD

HEADER = 16  # bytes: the lengths of what follows, as it is and packed
EYE, LOOK_AT = (30.0, -20.0, 30.0), (30.0, 30.0, 0.0)  # at a whole world, from above
_unpacker = zstandard.ZstdDecompressor()


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[websockets.ClientConnection]:
    """Connect as a browser does, and say from where one looks."""
    version = websockets.Subprotocol(f"viser-v{viser.__version__}")
    link = address.replace("http", "ws", 1)
    async with websockets.connect(link, subprotocols=[version], max_size=None, compression=None) as socket:
        await say(
            socket,
            messages.ViewerCameraMessage(
                wxyz=(1.0, 0.0, 0.0, 0.0), position=EYE, fov=FIELD_OF_VIEW_RAD, near=0.1, far=1000.0,
                image_height=800, image_width=1280, look_at=LOOK_AT, up_direction=(0.0, 0.0, 1.0),
            ),
        )  # fmt: skip
        yield socket


async def say(socket: websockets.ClientConnection, message: messages.Message) -> None:
    await socket.send(msgspec.msgpack.encode(message.as_serializable_dict()))


def unpacked(data: bytes) -> list[dict[str, Any]]:
    """Return the messages of what came."""
    packed = data[HEADER : HEADER + int.from_bytes(data[8:HEADER], "little")]
    return msgspec.msgpack.decode(_unpacker.decompress(packed, int.from_bytes(data[:8], "little")))["messages"]

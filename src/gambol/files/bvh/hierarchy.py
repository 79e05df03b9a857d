"""The upper half of a BVH file: joints, offsets and channels, in the file's units and axes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from gambol.errors import MalformedFile

MAX_JOINTS = 10_000  # the most joints that are read: enough for a crowd of rigs in one file
MAX_VALUE = 1e9  # file units or degrees: larger lengths and angles are refused
POSITION_CHANNELS = ("xposition", "yposition", "zposition")
ROTATION_CHANNELS = ("xrotation", "yrotation", "zrotation")

# Tokens of the hierarchy: braces stand alone, white space is ASCII only (names may hold others).
_TOKEN = re.compile(r"\r\n|\r|\n|[{}]|[^ \t\r\n\f\v{}]+")
_SHOWN = 40  # the most characters of a token that an error repeats


class Token(NamedTuple):
    text: str
    line: int


@dataclass
class Joint:
    """One joint, in the file's units and axes."""

    name: str
    parent: int
    line: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    channels: list[str] = field(default_factory=list)
    has_offset: bool = False


@dataclass
class Hierarchy:
    joints: list[Joint]
    tips: list[tuple[int, tuple[float, float, float]]]  # joint and offset of each End Site
    notes: list[str]

    @property
    def channel_count(self) -> int:
        return sum(len(joint.channels) for joint in self.joints)


def parse_hierarchy(text: str) -> Hierarchy:
    """Read the joints of a BVH file's text up to (not including) its MOTION line."""
    return _Parser(text).parse()


def shown(text: str) -> str:
    """Quote a token for an error message, cut to a readable length."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def parse_number(token: Token, what: str) -> float:
    """Turn a token into a finite number of at most MAX_VALUE."""
    try:
        value = float(token.text)
    except ValueError:
        raise MalformedFile(f"expected a number for {what}, found {shown(token.text)}", line=token.line) from None
    if not abs(value) <= MAX_VALUE:  # also catches NaN
        raise MalformedFile(
            f"{what} is {shown(token.text)}, expected a number within ±{MAX_VALUE:.0e}", line=token.line
        )
    return value


class _Parser:
    """A loop over tokens with a stack of open joints, without recursion."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._peeked: Token | None = None
        self._line = 1
        self._result = Hierarchy([], [], [])
        self._open: list[int] = []

    def parse(self) -> Hierarchy:
        self._expect("HIERARCHY", "a BVH file starts with HIERARCHY")
        self._expect("ROOT", "the hierarchy starts with ROOT")
        self._begin_joint()
        while self._open:
            self._joint_entry()
        leftover = self._peek()
        if leftover is not None:
            if leftover.text.upper() == "ROOT":
                raise MalformedFile("a second ROOT; only files with one skeleton are read", line=leftover.line)
            raise MalformedFile(
                f"expected MOTION after the hierarchy, found {shown(leftover.text)}", line=leftover.line
            )
        for joint in self._result.joints:
            if not joint.has_offset:
                self._result.notes.append(f"line {joint.line}: joint {joint.name!r} has no OFFSET; taken as zero")
        return self._result

    def _joint_entry(self) -> None:
        token = self._next("the closing brace of joint " + shown(self._joint.name))
        keyword = token.text.upper()
        if keyword == "}":
            self._open.pop()
        elif keyword == "OFFSET":
            self._joint.offset = self._offset()
            self._joint.has_offset = True
        elif keyword == "CHANNELS":
            self._channels(token)
        elif keyword == "JOINT":
            self._begin_joint()
        elif keyword == "END":
            self._end_site()
        else:
            raise MalformedFile(
                f"expected OFFSET, CHANNELS, JOINT, End Site or a brace, found {shown(token.text)}", line=token.line
            )

    @property
    def _joint(self) -> Joint:
        return self._result.joints[self._open[-1]]

    def _begin_joint(self) -> None:
        name, line = self._name_and_brace("a joint's name")
        if len(self._result.joints) == MAX_JOINTS:
            raise MalformedFile(f"more than {MAX_JOINTS:,} joints, at {shown(name)}", line=line)
        self._result.joints.append(Joint(name, self._open[-1] if self._open else -1, line))
        self._open.append(len(self._result.joints) - 1)

    def _name_and_brace(self, what: str) -> tuple[str, int]:
        """Read a name, which may hold spaces, up to the opening brace."""
        first = self._next(what)
        if first.text in "{}":
            raise MalformedFile(f"expected {what}, found {first.text!r}", line=first.line)
        words = [first.text]
        while (token := self._next("'{'")).text != "{":
            if token.line != first.line or token.text == "}":
                raise MalformedFile(
                    f"expected '{{' after {shown(' '.join(words))}, found {shown(token.text)}", line=token.line
                )
            words.append(token.text)
        return " ".join(words), first.line

    def _end_site(self) -> None:
        self._name_and_brace("'Site' after 'End'")
        offset = (0.0, 0.0, 0.0)
        while (token := self._next("the closing brace of an End Site")).text != "}":
            keyword = token.text.upper()
            if keyword == "OFFSET":
                offset = self._offset()
            elif keyword == "CHANNELS" and (count := self._next("a number of channels")).text == "0":
                del count  # some exporters write "CHANNELS 0" here; nothing is lost
            else:
                raise MalformedFile(
                    f"expected OFFSET or '}}' in an End Site, found {shown(token.text)}", line=token.line
                )
        if any(offset):  # a tip of no length has no meaning
            self._result.tips.append((self._open[-1], offset))

    def _offset(self) -> tuple[float, float, float]:
        x, y, z = (parse_number(self._next("three numbers after OFFSET"), "an offset") for _ in range(3))
        return x, y, z

    def _channels(self, keyword: Token) -> None:
        joint = self._joint
        if joint.channels:
            raise MalformedFile(f"joint {shown(joint.name)} has CHANNELS twice", line=keyword.line)
        count = self._next("a number of channels")
        if not count.text.isdecimal() or not count.text.isascii() or len(count.text) > 2 or int(count.text) > 6:
            raise MalformedFile(f"expected 0 to 6 channels, found {shown(count.text)}", line=count.line)
        for _ in range(int(count.text)):
            token = self._next("a channel name")
            channel = token.text.lower()
            if channel not in POSITION_CHANNELS and channel not in ROTATION_CHANNELS:
                raise MalformedFile(
                    f"expected a channel such as Xposition or Zrotation, found {shown(token.text)}", line=token.line
                )
            if channel in joint.channels:
                raise MalformedFile(f"joint {shown(joint.name)} has {token.text} twice", line=token.line)
            joint.channels.append(channel)

    def _expect(self, word: str, why: str) -> None:
        token = self._next(word)
        if token.text.upper() != word:
            raise MalformedFile(f"{why}; found {shown(token.text)}", line=token.line)

    def _peek(self) -> Token | None:
        if self._peeked is None:
            self._peeked = next(self._tokens, None)
        return self._peeked

    def _next(self, expected: str) -> Token:
        token = self._peek()
        self._peeked = None
        if token is None:
            raise MalformedFile(f"the hierarchy ends where {expected} was expected", line=self._line)
        self._line = token.line
        return token


def _tokens(text: str) -> Iterator[Token]:
    line = 1
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token[0] in "\r\n":
            line += 1
        else:
            yield Token(token, line)

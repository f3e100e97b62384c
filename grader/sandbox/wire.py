"""The judge's end of the channel: requests out, claims in.

Requests go to our own code and are marshalled. What comes back was written by a process that
student code controls: a small fixed header, raw bytes, every count, size and dimension checked
against a cap before anything is allocated, nothing unpickled, nothing evaluated. The least
deviation is a ProtocolError, never an answer.
"""

import marshal
import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..outcome import Argument, Array, Call, Cell, ErrorText, Items, Other, Value
from ..printable import printable
from .inside import child

MAX_TEXT = 10_000  # bytes of any frame that is no call's answer
MAX_SIDE = 1 << 40


class ProtocolError(Exception):
    """What came is not what our own child code sends."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message of a child; `body` is still unread."""

    kind: int
    status: int
    index: int
    body: bytes


def encode_calls(calls: Sequence[Call]) -> bytes:
    """Function, arguments, repeat and most bytes of a result, of each call."""
    return marshal.dumps(
        [
            (c.function, [_describe(a) for a in c.arguments], c.repeat, c.limits.result_mib << 20)
            for c in calls
        ]
    )


def part(data: bytes) -> bytes:
    """A piece of what a child is told, behind its length."""
    return struct.pack("<I", len(data)) + data


def _describe(argument: Argument) -> object:
    if isinstance(argument, np.ndarray):
        return argument.dtype.str, argument.shape, argument.tobytes()
    return argument


def request(
    cells: Sequence[Cell],
    skipped: Sequence[int],
    wanted: Sequence[str],
    start: int,
    load_seconds: float,
) -> bytes:
    """What a child is told first: the cells, which of them to skip, the wanted functions, how many
    calls have their outcome already."""
    pieces = [(c.name, c.source) for c in cells]
    return part(marshal.dumps((pieces, list(skipped), list(wanted), start, float(load_seconds))))


class Frames:
    """Cuts a byte stream into frames; holds at most one frame above what was just fed."""

    def __init__(self, largest: int) -> None:
        self.largest = largest
        self.error: ProtocolError | None = None
        self._held = bytearray()

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that are complete now; `error` is set if what follows them cannot be one."""
        held = self._held
        held += data
        frames: list[Frame] = []
        position, size = 0, child.FRAME.size
        while len(held) - position >= size and not self.error:
            kind, status, index, length = child.FRAME.unpack_from(held, position)
            end = position + size + length
            if length > (self.largest if kind == child.CALL else MAX_TEXT):
                self.error = ProtocolError("a message is longer than allowed")
            elif end > len(held):
                break
            else:
                with memoryview(held) as view:
                    frames.append(Frame(kind, status, index, bytes(view[position + size : end])))
                position = end
        del held[:position]
        return frames


class Reader:
    """Reads the fields of one body, front to back, never beyond its end."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.position = 0

    @property
    def left(self) -> int:
        return len(self.body) - self.position

    def take(self, size: int) -> bytes:
        end = self.position + size
        if end > len(self.body):
            raise ProtocolError("a message ends too early")
        part = self.body[self.position : end]
        self.position = end
        return part

    def numbers(self, layout: str) -> tuple[int, ...]:
        start = self.position
        try:
            found = struct.unpack_from(layout, self.body, start)
        except struct.error as error:
            raise ProtocolError("a message ends too early") from error
        self.position = start + struct.calcsize(layout)
        return found

    def text(self, longest: int) -> str:
        (length,) = self.numbers("<H")
        if length > 4 * longest:
            raise ProtocolError("a text is longer than allowed")
        return printable(self.take(length).decode("utf-8", "replace"))[:longest]

    def end(self) -> None:
        if self.left:
            raise ProtocolError("a message has bytes left over")

    def error(self) -> ErrorText:
        kind = self.text(child.MAX_NAME)
        message = self.text(child.MAX_MESSAGE)
        cell = self.text(child.MAX_NAME)
        (line,) = self.numbers("<I")
        return ErrorText(kind, message, cell or None, line or None)

    def value(self, nesting: int = 0) -> Value:
        tag = self.take(1)
        if tag == b"A":
            return self._array()
        if tag in (b"T", b"L"):
            (count,) = self.numbers("<B")
            if count > child.MAX_ITEMS or nesting >= child.MAX_NESTING:
                raise ProtocolError("a sequence is longer or deeper than allowed")
            items = tuple(self.value(nesting + 1) for _ in range(count))
            return Items("tuple" if tag == b"T" else "list", items)
        if tag == b"O":
            return Other(self.text(child.MAX_NAME))
        raise ProtocolError("an unknown kind of value")

    def _array(self) -> Array:
        (dimensions,) = self.numbers("<B")
        if dimensions > child.MAX_DIMENSIONS:
            raise ProtocolError("an array has more axes than allowed")
        shape = self.numbers(f"<{dimensions}Q")
        name = self.text(8)
        if name not in child.DTYPES or any(side > MAX_SIDE for side in shape):
            raise ProtocolError("an array of no allowed type or size")
        try:
            dtype = np.dtype(name)
            raw = self.take(math.prod(shape) * dtype.itemsize)
            return Array(name, np.frombuffer(raw, dtype).reshape(shape))  # bytes: read-only
        except (TypeError, ValueError) as error:
            raise ProtocolError("an array that NumPy cannot hold") from error

"""One submission in one process: put the locks on, run the cells, run the calls, send what came.

Everything sent from here is a claim by a process that student code controls. The judge's parser
(grader/sandbox/wire.py) believes none of it; it only ever takes it as an output.
"""

import contextlib
import marshal
import os
import random
import signal
import struct
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NoReturn

import numpy as np

from . import locks, standins

# A frame: kind, status, index of cell or call, length of what follows.
FRAME = struct.Struct("<BBHI")
LOCKED, BROKEN, CELL, FUNCTIONS, CALL, DONE = range(1, 7)
RETURNED, RAISED, MISSING, TIMEOUT, MEMORY, OUTPUT, BLOCKED = range(7)
OK, ABSENT, RECOVERED = range(3)

CHANNEL = 3
DTYPES = frozenset(
    order + code
    for order, codes in (
        ("|", ("b1", "i1", "u1")),
        ("<", ("i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8", "f16", "c8", "c16", "c32")),
        (">", ("i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")),
    )
    for code in codes
)
MAX_DIMENSIONS, MAX_ITEMS, MAX_NESTING = 32, 16, 2
MAX_NAME, MAX_MESSAGE, MAX_TRACEBACK = 120, 2000, 20_000
FLUSH_SECONDS = 0.002
MODULE = "submission"


@dataclass(frozen=True)
class Locks:
    """What the server made ready for its children; `ruleset` -1 and no program mean tier C."""

    ruleset: int
    program: bytes
    placeholder: int
    processes: int
    server: int


class _LoadTimeout(BaseException):
    """A cell ran longer than loading may take."""


class _TooLargeError(Exception):
    """A result has more bytes than its limit."""


def main(
    channel: int, locked: Locks, cpu_seconds: int, memory_mib: int, output_kib: int, careful: int
) -> NoReturn:
    """Be the child: confine this process, then serve one request on the channel."""
    try:
        try:
            confine(channel, locked, cpu_seconds, memory_mib, output_kib)
        except BaseException as error:  # fail closed: nothing of the student's is read
            _write(frame(BROKEN, 0, 0, text(f"{type(error).__name__}: {error}", MAX_MESSAGE)))
            os._exit(3)
        _write(frame(LOCKED, 0, 0))
        Runner(bool(careful)).run(*read_request())
    except BaseException:
        os._exit(4)
    os._exit(0)


def confine(
    channel: int, locked: Locks, cpu_seconds: int, memory_mib: int, output_kib: int
) -> None:
    """Put every lock on this process; afterwards it has its channel and nothing else."""
    os.setpgid(0, 0)
    for number in (signal.SIGXFSZ, signal.SIGPIPE):  # Python ignores them
        signal.signal(number, signal.SIG_DFL)
    if sys.platform == "linux":
        locks.die_with(locked.server)
        printed = os.memfd_create("output")  # what is printed stops at its size limit
    else:
        printed = os.open(os.devnull, os.O_WRONLY)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    limits = [
        ("RLIMIT_CORE", 0, 0),
        ("RLIMIT_CPU", cpu_seconds, cpu_seconds + 1),
        ("RLIMIT_AS", memory_mib << 20, memory_mib << 20),
        ("RLIMIT_FSIZE", output_kib << 10, output_kib << 10),
        ("RLIMIT_NOFILE", 64, 64),
        ("RLIMIT_MEMLOCK", 0, 0),
        ("RLIMIT_MSGQUEUE", 0, 0),
    ]
    if locked.processes:
        limits.append(("RLIMIT_NPROC", locked.processes, locked.processes))
    locks.limit(limits)
    if locked.ruleset >= 0:
        locks.landlock_restrict(locked.ruleset)
    if channel != CHANNEL:
        os.dup2(channel, CHANNEL)
    os.closerange(CHANNEL + 1, 1 << 16)
    if locked.program:
        locks.load_filter(locked.program, locked.placeholder)


def read_request() -> tuple[Any, ...]:
    """The judge's request: what to load, and the first calls."""
    return *read_part(), read_part()


def read_part() -> Any:
    """What the judge says next, behind its length."""
    (length,) = struct.unpack("<I", _read(4))
    return marshal.loads(_read(length))


def _read(size: int) -> bytes:
    parts = []
    while size:
        part = os.read(CHANNEL, min(size, 1 << 20))
        if not part:
            os._exit(5)
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _write(data: bytes, write: Callable[[int, bytes], int] = os.write) -> None:
    while data:
        data = data[write(CHANNEL, data) :]


def frame(kind: int, status: int, index: int, body: bytes = b"") -> bytes:
    """One message to the judge."""
    return FRAME.pack(kind, status, index, len(body)) + body


def text(value: str, longest: int) -> bytes:
    """A bounded string behind its length in bytes."""
    data = str.__getitem__(value, slice(0, longest)).encode("utf-8", "replace")
    return struct.pack("<H", len(data)) + data


def _names() -> dict[Any, bytes]:
    """The allowed types as they are written; looked up faster than a type's own name is made."""
    names = {}
    for name in DTYPES:
        with contextlib.suppress(TypeError):  # long doubles differ from machine to machine
            names[np.dtype(name)] = text(name, 8)
    return names


NAMES = _names()


class Runner:
    """Runs the cells in one namespace and then the calls; sends in batches unless careful.

    A batch saves wake-ups; when a process dies with answers unsent, the judge runs it again,
    carefully.
    """

    def __init__(self, careful: bool) -> None:
        self.pause = 0.0 if careful else FLUSH_SECONDS
        self.waiting: list[bytes] = []
        self.sent_at = perf_counter()
        self.names: frozenset[str] = frozenset()

    def send(
        self, data: bytes, now: bool = False, clock: Callable[[], float] = perf_counter
    ) -> None:
        self.waiting.append(data)
        moment = clock()
        if now or moment - self.sent_at >= self.pause:
            _write(b"".join(self.waiting))
            self.waiting.clear()
            self.sent_at = moment

    def run(
        self,
        cells: Sequence[tuple[str, bytes]],
        skipped: Sequence[int],
        wanted: Sequence[str],
        start: int,
        load_seconds: float,
        calls: Sequence[Any],
    ) -> None:
        """Load the cells and make the calls that are left; the judge sends the hidden ones when
        it has the outcomes of the others."""
        self.names = frozenset(name for name, _ in cells)
        functions = self.load(cells, frozenset(skipped), load_seconds, wanted)
        self.run_calls(functions, calls, 0, start)
        self.send(b"", now=True)
        self.run_calls(functions, read_part(), len(calls), start)
        self.send(frame(DONE, 0, 0), now=True)

    def run_calls(
        self,
        functions: Mapping[str, Any],
        calls: Sequence[tuple[str, Sequence[Any], int, int]],
        before: int,
        start: int,
    ) -> None:
        """Make those of the calls that are left, of which there were so many `before` them."""
        for index, (name, arguments, repeat, room) in enumerate(calls, before):
            if index >= start:
                self.send(self.call(index, functions.get(name), arguments, repeat, room))

    def load(
        self,
        cells: Sequence[tuple[str, bytes]],
        skipped: frozenset[int],
        load_seconds: float,
        wanted: Sequence[str],
    ) -> dict[str, Any]:
        """Run the cells in order; the wanted functions as they stood when a cell last set them."""
        module = types.ModuleType(MODULE)
        namespace = module.__dict__
        sys.modules[MODULE] = module
        random.seed(0)
        kept: dict[str, Any] = {}
        recovered: set[str] = set()
        for index, (name, source) in enumerate(cells):
            if index in skipped:
                continue
            before = dict(kept)
            status, body = RETURNED, b""
            try:
                with _alarm(load_seconds):
                    exec(compile(source, name, "exec", dont_inherit=True), namespace)
            except _LoadTimeout:
                status = TIMEOUT
            except BaseException as error:
                status, body = self.describe(error)
            for function in wanted:
                value = namespace.get(function)
                if callable(value):
                    kept[function] = value
            changed = {f for f in kept if kept[f] is not before.get(f)}
            recovered = recovered | changed if status else recovered - changed
            self.send(frame(CELL, status, index, body))
        states = b""
        for function in wanted:
            value = namespace.get(function)
            found = function in kept
            rebound = found and not callable(value)
            state = ABSENT if not found else RECOVERED if rebound or function in recovered else OK
            if rebound:  # its other functions may still call it
                namespace[function] = kept[function]
            named = type_name(value) if function in namespace and not callable(value) else ""
            states += struct.pack("<B", state) + text(named, MAX_NAME)
        stand_ins = b"".join(text(name, MAX_NAME) for name in standins.used())
        self.send(frame(FUNCTIONS, 0, len(wanted), states + stand_ins))
        return kept

    def call(
        self, index: int, function: Any, arguments: Sequence[Any], repeat: int, room: int
    ) -> bytes:
        """Call once or repeatedly, each time with fresh arguments; the answer's frame."""
        if function is None:
            return frame(CALL, MISSING, index)
        changed = 0
        values = []
        try:
            for _ in range(repeat):
                fresh = [revive(argument) for argument in arguments]
                value = function(*fresh)
                values.append(describe_value(value, room))  # at once: it may be a shared buffer
                room -= len(values[-1])
                for position, given in enumerate(arguments):
                    if type(given) is tuple and differs(given, fresh[position]):
                        changed |= 1 << position
        except _TooLargeError:
            return frame(CALL, OUTPUT, index)
        except BaseException as error:
            status, body = self.describe(error)
            return frame(CALL, status, index, body)
        return frame(CALL, RETURNED, index, struct.pack("<IB", changed, repeat) + b"".join(values))

    def describe(self, error: BaseException) -> tuple[int, bytes]:
        """Status and description of an exception; its own methods may lie, fail or be huge."""
        kind = type(error)
        status = (
            MEMORY
            if issubclass(kind, MemoryError)
            else BLOCKED
            if issubclass(kind, PermissionError)
            else RAISED
        )
        cell, line, message = "", None, ""
        try:
            step: Any = _traceback_of(error)
            for _ in range(MAX_TRACEBACK):
                if step is None:
                    break
                if step.tb_frame.f_code.co_filename in self.names:
                    cell, line = step.tb_frame.f_code.co_filename, step.tb_lineno
                step = step.tb_next
            if issubclass(kind, SyntaxError) and error.filename in self.names:  # type: ignore[attr-defined]
                cell, line = error.filename, error.lineno  # type: ignore[attr-defined]
                message = str(error.msg)  # type: ignore[attr-defined]
            else:
                message = str(error)
        except BaseException:
            message = ""
        number = line if type(line) is int and 0 < line < 1 << 31 else 0
        place = text(cell if type(cell) is str else "", MAX_NAME) + struct.pack("<I", number)
        return status, text(type_name(error), MAX_NAME) + text(message, MAX_MESSAGE) + place


_traceback_of: Callable[[BaseException], object] = BaseException.__dict__["__traceback__"].__get__


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise _LoadTimeout inside the block after so long; a courtesy, the judge's limit is hard."""

    def ring(*_: object) -> NoReturn:
        raise _LoadTimeout

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def type_name(value: object) -> str:
    """Name of the object's type as students know it: float, numpy.float64, MyClass."""
    kind = type(value)
    try:
        name = type.__dict__["__qualname__"].__get__(kind)
        home = type.__dict__["__module__"].__get__(kind)
        if type(home) is str and home not in ("builtins", MODULE):
            name = f"{home}.{name}"
        return name if type(name) is str else "object"
    except BaseException:
        return "object"


def revive(argument: Any) -> Any:
    """A fresh argument from its description: numbers as they are, arrays from their bytes."""
    if type(argument) is tuple:
        dtype, shape, data = argument
        return np.frombuffer(data, dtype).reshape(shape).copy()
    return argument


def differs(given: tuple[str, tuple[int, ...], bytes], now: np.ndarray[Any, Any]) -> bool:
    """Whether an argument is no longer what it was."""
    dtype, shape, data = given
    return now.shape != shape or now.dtype != dtype or now.tobytes() != data


def describe_value(value: Any, room: int, nesting: int = 0) -> bytes:
    """A returned value as bytes: A array, T tuple, L list, O other.

    Raises _TooLargeError before copying more than `room` bytes.
    """
    kind = type(value)
    if kind is np.ndarray:
        name = NAMES.get(value.dtype) if value.dtype.kind in "biufc" else None
        if name is not None and value.ndim <= MAX_DIMENSIONS:
            if value.nbytes > room:
                raise _TooLargeError
            head = struct.pack(f"<cB{value.ndim}Q", b"A", value.ndim, *value.shape)
            return b"".join((head, name, value.tobytes()))
        return b"O" + text(f"numpy.ndarray of {value.dtype}", MAX_NAME)
    if (kind is tuple or kind is list) and nesting < MAX_NESTING and len(value) <= MAX_ITEMS:
        parts = [struct.pack("<cB", b"T" if kind is tuple else b"L", len(value))]
        for item in value:
            parts.append(describe_value(item, room, nesting + 1))
            room -= len(parts[-1])
        return b"".join(parts)
    return b"O" + text(type_name(value), MAX_NAME)

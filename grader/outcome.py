"""What is asked of a submission (cells, calls, limits), and what came of it (load, outcomes).

Nothing here is a live object of the student's process: a returned value is a description made of
raw bytes, and every text is bounded and free of control characters.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Argument = NDArray[np.generic] | float | int | bool

Status = Literal[
    "returned",  # the call ended; `values` holds what it gave
    "raised",  # an exception; `error` says which and where
    "missing",  # there is no such function
    "timeout",  # the wall or CPU limit, also when tried again alone
    "memory",  # more memory than allowed
    "crash",  # the process ended without an answer, or wrote nonsense to the grader's channel
    "output",  # printed or returned more than allowed
    "blocked",  # tried something that the sandbox forbids
    "broken",  # our fault, never the student's
]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call may use; `cpu_seconds` and `memory_mib` hold for its whole process."""

    wall_seconds: float = 2.0
    load_seconds: float = 5.0
    cpu_seconds: int = 20
    memory_mib: int = 1024
    output_kib: int = 64
    result_mib: int = 1


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a student's function; `case` is our own label and never leaves this process.

    A child is sent the inputs of `hidden` calls, which come last, when every other call has its
    outcome: no text from before can hold any of them.
    """

    case: str
    function: str
    arguments: tuple[Argument, ...]
    repeat: int = 1
    limits: Limits = field(default_factory=Limits)
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A piece of student source, compiled from its bytes; `name` is what tracebacks show."""

    name: str
    source: bytes


@dataclass(frozen=True, slots=True)
class Array:
    """A returned object whose type is exactly numpy.ndarray; `data` is fresh and read-only."""

    dtype: str
    data: NDArray[np.generic]


@dataclass(frozen=True, slots=True)
class Items:
    """A returned tuple or list."""

    kind: Literal["tuple", "list"]
    items: tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class Other:
    """Any other returned object, known by its type's name only, as in "float" or "numpy.matrix"."""

    type_name: str


Value = Array | Items | Other


@dataclass(frozen=True, slots=True)
class ErrorText:
    """A student's exception; `line` counts from 1 in `cell`, both None where unknown."""

    type_name: str
    message: str
    cell: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class Outcome:
    """What one call gave. `values` has one entry a repeat; `changed` are argument indices."""

    status: Status
    values: tuple[Value, ...] = ()
    changed: tuple[int, ...] = ()
    error: ErrorText | None = None
    detail: str = ""

    @cached_property
    def digest(self) -> bytes:
        """Sixteen bytes that are equal only for results that are the same to the last bit.

        Of exceptions and other ends it tells the status alone.
        """
        total = blake2b(f"{self.status}{self.changed}".encode(), digest_size=16)
        for value in self.values:
            total.update(_bytes(value))
        return total.digest()


def _bytes(value: Value) -> bytes:
    """The value behind its kind and size, so that no two values give the same bytes."""
    if isinstance(value, Array):
        return f"array {value.dtype} {value.data.shape}:".encode() + value.data.tobytes()
    if isinstance(value, Items):
        return f"{value.kind} {len(value.items)}:".encode() + b"".join(map(_bytes, value.items))
    name = value.type_name.encode()
    return f"other {len(name)}:".encode() + name


FunctionState = Literal["ok", "missing", "recovered"]


@dataclass(frozen=True, slots=True)
class Load:
    """What executing the cells gave: an error or None for each cell, and each function's state.

    "recovered": the name was rebound to something that cannot be called, or its cell failed after
    defining it; the function as it stood is used.
    """

    cells: tuple[ErrorText | None, ...] = ()
    functions: Mapping[str, FunctionState] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Sandbox(AbstractContextManager["Sandbox"], Protocol):
    """Runs student code in confinement; one outcome a call, in order."""

    @property
    def tier(self) -> Literal["A", "B", "C"]: ...

    def run(
        self, cells: Sequence[Cell], calls: Sequence[Call]
    ) -> tuple[Load, Sequence[Outcome]]: ...

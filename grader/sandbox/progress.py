"""What is known of a submission so far, read from the frames of its children one by one."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..outcome import Call, Cell, ErrorText, FunctionState, Limits, Load, Outcome, Status
from .asked import Asked
from .inside import child, standins
from .wire import Frame, ProtocolError, Reader

MOST_SKIPPED_CELLS = 3

STATUS: dict[int, Status] = {
    child.RETURNED: "returned",
    child.RAISED: "raised",
    child.MISSING: "missing",
    child.MEMORY: "memory",
    child.OUTPUT: "output",
    child.BLOCKED: "blocked",
}
STATES: dict[int, FunctionState] = {
    child.OK: "ok",
    child.ABSENT: "missing",
    child.RECOVERED: "recovered",
}


Position = tuple[int, int]
"""Outcomes so far and, while there are none, cells done: what comes next, to be compared."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a child gave no further answer."""

    status: Status
    detail: str


@dataclass
class Progress:
    """Load and outcomes over all children of one submission; the last two fields restart."""

    cells: Sequence[Cell]
    asked: Asked
    outcomes: list[Outcome] = field(default_factory=list)
    errors: dict[int, ErrorText] = field(default_factory=dict)
    skipped: list[int] = field(default_factory=list)
    functions: dict[str, FunctionState] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    at_cell: int = 0
    loaded: bool = False

    @property
    def calls(self) -> Sequence[Call]:
        return self.asked.calls

    @property
    def done(self) -> bool:
        return len(self.outcomes) == len(self.calls)

    @property
    def call(self) -> Call:
        """The first call without an outcome."""
        return self.calls[len(self.outcomes)]

    @property
    def position(self) -> Position:
        """The call, or the cell, that is at work; a later one is greater."""
        return (len(self.outcomes), len(self.cells) if self.loaded else self.at_cell)

    @property
    def suspect(self) -> str | int:
        """The function that is at work, or the cell."""
        return self.call.function if self.loaded else self.at_cell

    def load(self) -> Load:
        return Load(
            cells=tuple(self.errors.get(i) for i in range(len(self.cells))),
            functions={name: self.functions.get(name, "missing") for name in self.asked.wanted},
            notes=tuple(self.notes),
        )

    def restart(self) -> None:
        """A new child begins: it loads the cells again, without the skipped ones."""
        self.loaded, self.at_cell = False, -1
        self._next_cell()

    def limits(self) -> Limits:
        """The limits of a child that runs what is left."""
        return self.asked.limits(len(self.outcomes))

    def charge(self, fault: Fault) -> None:
        """Count a fault against the call that it happened in, or the cell, which is then left out.

        Against every call, if that is one cell too many or it happened between cells.
        """
        if self.loaded:
            self.outcomes.append(Outcome(fault.status, detail=fault.detail))
            return
        if self.at_cell < len(self.cells):
            self.errors[self.at_cell] = self._cell_error(fault)
            self.skipped.append(self.at_cell)
        if self.at_cell >= len(self.cells) or len(self.skipped) > MOST_SKIPPED_CELLS:
            self.fill(fault)

    def slow_load(self) -> Fault:
        return Fault("timeout", f"Took longer than {self.limits().load_seconds:g} s to run.")

    def _cell_error(self, fault: Fault) -> ErrorText:
        return ErrorText(fault.status, fault.detail, self.cells[self.at_cell].name)

    def fill(self, fault: Fault) -> None:
        """Give every call that is left the same outcome."""
        left = len(self.calls) - len(self.outcomes)
        self.outcomes += [Outcome(fault.status, detail=fault.detail)] * left

    def take(self, frame: Frame) -> None:
        """Note what one frame claims. Raises ProtocolError if it cannot be, at this point."""
        if self.loaded and frame.kind == child.CALL and not self.done:
            self._take_answer(frame)
            return
        reader = Reader(frame.body)
        if not self.loaded and frame.kind == child.CELL:
            self._take_cell(frame, reader)
        elif not self.loaded and frame.kind == child.FUNCTIONS:
            self._take_functions(reader)
        else:
            raise ProtocolError("a message out of turn")
        reader.end()

    def _take_answer(self, frame: Frame) -> None:
        if frame.index != len(self.outcomes):
            raise ProtocolError("an answer to another call")
        said = frame.index, frame.status, frame.body
        outcome = self.asked.known(*said)
        if outcome is None:
            reader = Reader(frame.body)
            outcome = _outcome(frame, reader, self.call)
            reader.end()
            self.asked.learn(*said, outcome)
        self.outcomes.append(outcome)

    def _take_cell(self, frame: Frame, reader: Reader) -> None:
        if frame.index != self.at_cell or self.at_cell >= len(self.cells):
            raise ProtocolError("an answer to another cell")
        if frame.status == child.TIMEOUT:
            self.errors[self.at_cell] = self._cell_error(self.slow_load())
        elif frame.status != child.RETURNED:
            self.errors[self.at_cell] = reader.error()
        self._next_cell()

    def _next_cell(self) -> None:
        self.at_cell += 1
        while self.at_cell in self.skipped:
            self.at_cell += 1

    def _take_functions(self, reader: Reader) -> None:
        if self.at_cell < len(self.cells):
            raise ProtocolError("a list of functions before the last cell")
        self.functions, self.notes = {}, []
        for name in self.asked.wanted:
            (number,) = reader.numbers("<B")
            kind = reader.text(child.MAX_NAME)
            if number not in STATES:
                raise ProtocolError("an unknown state of a function")
            self.functions[name] = state = STATES[number]
            if state == "missing" and kind:
                self.notes.append(f"{name} is not a function but a value of type {kind}.")
            elif state == "recovered" and kind:
                self.notes.append(
                    f"{name} was later set to a value of type {kind}; "
                    f"the function as it was before is used."
                )
            elif state == "recovered":
                self.notes.append(f"{name} is used although the cell that defines it failed.")
        while reader.left:
            module = reader.text(child.MAX_NAME)
            if module not in standins.NAMES:
                raise ProtocolError("an unknown stand-in")
            self.notes.append(
                f"{module} is not there when grading: an empty module took its place."
            )
        self.loaded = True


def _outcome(frame: Frame, reader: Reader, call: Call) -> Outcome:
    status = STATUS.get(frame.status)
    if status is None:
        raise ProtocolError("an unknown status")
    if status == "missing":
        return Outcome(status, detail=f"There is no function {call.function}.")
    if status == "output":
        detail = f"The call returned more than {call.limits.result_mib} MiB."
        return Outcome(status, detail=detail)
    if status != "returned":
        return Outcome(status, error=reader.error())
    changed, repeat = reader.numbers("<IB")
    if repeat != call.repeat or changed >> len(call.arguments):
        raise ProtocolError("an answer of another form than asked")
    return Outcome(
        status,
        values=tuple(reader.value() for _ in range(repeat)),
        changed=tuple(i for i in range(len(call.arguments)) if changed >> i & 1),
    )

"""Every known fault of a function against every one of its cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from grader.audit.bench import Bench
from grader.diagnosis import ALTERNATIVES, Diagnoser

ALL, SOME, NONE = "●", "◐", "·"


@dataclass
class Row:
    """One fault: for each form that shows, which cases it fails; and how it was named."""

    fault: str
    caught: list[list[bool]] = field(default_factory=list)
    escaped: int = 0
    unnamed: int = 0

    def marks(self) -> str:
        """A sign for each case: all, some or none of the forms fail it."""
        columns = zip(*self.caught, strict=True)
        return "".join(ALL if all(c) else SOME if any(c) else NONE for c in columns)


@dataclass
class Matrix:
    """What the faults of one function do in its cases, and what is wrong with that."""

    bench: Bench
    rows: list[Row]
    problems: list[str]
    dominated: dict[str, str]
    alike: dict[str, list[str]]
    """What a text that names one fault must fit as well, since their results can be the same."""


def fault_matrix(bench: Bench, diagnoser: Diagnoser) -> Matrix:
    """Try every form of every fault; forms that change nothing are left out."""
    table = diagnoser.table(bench.function)
    rows: dict[str, Row] = {}
    problems: list[str] = []
    alike: dict[str, dict[str, None]] = {}
    for known in table.singles:
        name = known.faults[0]
        outcomes = table.outcomes(known)
        passes = bench.passes(outcomes)
        row = rows.setdefault(name, Row(name))
        if all(passes):
            code = bench.lesson.reference.faulty(bench.function, *known.forms)
            row.escaped += bench.differs(code)
            continue
        row.caught.append([not ok for ok in passes])
        if table.wrong(outcomes):
            found = table.single(outcomes)
            problem = _naming_problem(name, diagnoser, bench.function, found)
            if len(found) > 1:
                told = " or ".join(diagnoser.fitting(found))
                alike.setdefault(told, {}).update(dict.fromkeys(found))
            row.unnamed += bool(problem)
            problems += [problem] if problem else []
    for row in rows.values():
        if row.escaped:
            text = f"{bench.function}: the fault {row.fault} passes all cases in {row.escaped} form"
            problems.append(text + ("s" if row.escaped > 1 else ""))
    kept = [row for row in rows.values() if row.caught]
    return Matrix(
        bench,
        kept,
        list(dict.fromkeys(problems)),
        _dominated(bench, kept),
        {told: [name for name in found if name not in told] for told, found in alike.items()},
    )


def _naming_problem(fault: str, diagnoser: Diagnoser, function: str, found: list[str]) -> str:
    """A fault must be told by its own name, or by a text that covers it."""
    told = diagnoser.fitting(found)
    texts = diagnoser.texts.faults
    covered = fault in told or any(fault in texts[name].covers for name in told)
    if not covered:
        return f"{function}: the fault {fault} is named {', '.join(told) or 'by nothing'}"
    if len(told) > ALTERNATIVES:
        return f"{function}: the fault {fault} cannot be told from {', '.join(told)}"
    return ""


def _dominated(bench: Bench, rows: list[Row]) -> dict[str, str]:
    """Cases that catch nothing which one other case does not: each with that other case."""
    caught = [
        {(row.fault, form) for row in rows for form, fails in enumerate(row.caught) if fails[i]}
        for i in range(len(bench.names))
    ]
    found: dict[str, str] = {}
    for i, name in enumerate(bench.names):
        for j, other in enumerate(bench.names):
            better = caught[i] < caught[j] or (caught[i] == caught[j] and j < i)
            if i != j and better:
                found[name] = other
                break
    return found


def escaping_pairs(bench: Bench, diagnoser: Diagnoser) -> Iterator[tuple[str, str]]:
    """Pairs of faults that together pass all cases and still are not right."""
    table = diagnoser.table(bench.function)
    if not table.singles:
        return
    faulty = bench.lesson.reference.faulty
    first = {known.faults[0]: known for known in reversed(table.singles)}
    for one, two in combinations(reversed(first.values()), 2):
        code = faulty(bench.function, *one.forms, *two.forms)
        if code is None or not bench.passes_all(code):
            continue
        alone = (faulty(bench.function, *known.forms) for known in (one, two))
        if not any(bench.passes_all(c) for c in alone) and bench.differs(code):
            yield one.faults[0], two.faults[0]

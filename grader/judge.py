"""Turns the outcomes of a submission into verdicts, in a fixed order, stopping at the first fault.

Missing, raised, type, shape, not finite, values, inputs changed. Of a hidden case a message tells
the kind of failure only: no input, seed or expected value, and no text that student code wrote.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from difflib import get_close_matches
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from challenges.comparison import changed_text, check_result, missing_text
from challenges.laws import LAWS
from grader.diagnosis import Diagnosis, Tried
from grader.lesson import GradedCase
from grader.outcome import Array, Cell, ErrorText, Items, Load, Other, Outcome, Value
from grader.verdict import Kind, Verdict

Diagnose = Callable[[Sequence[Cell], Mapping[str, Tried]], Mapping[str, Diagnosis]]
"""Names the mistake behind the wrong results of each function, where it is known."""

NOTHING = Fraction(0)
KNOWN_ERRORS = {
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
}
KNOWN_TYPES = {name for name, value in vars(builtins).items() if isinstance(value, type)} | {
    "NoneType",
    "function",
    "generator",
    "numpy.matrix",
    "numpy.float64",
    "numpy.float32",
    "numpy.int64",
    "numpy.bool",
    "numpy.ma.MaskedArray",
}
MOST_NAMES = 100
UNLOADED: dict[str, Kind] = {
    "timeout": "timeout",
    "memory": "memory",
    "blocked": "blocked",
    "broken": "broken",
}
"""The verdict on a function whose cell ended in this way; any other is an error."""


def judge(
    cases: Sequence[GradedCase],
    cells: Sequence[Cell],
    load: Load,
    outcomes: Mapping[str, Outcome],
    diagnose: Diagnose | None = None,
) -> tuple[Verdict, ...]:
    """The verdicts on all cases; `outcomes` holds one for each case name."""
    with np.errstate(invalid="ignore"):
        found = [_verdict(case, cells, load, outcomes[case.name]) for case in cases]
    passed = {(v.challenge, v.case) for v in found if v.verdict == "pass"}
    verdicts = [_earned(case, v, passed) for case, v in zip(cases, found, strict=True)]
    if diagnose is not None and any(v.verdict != "pass" for v in verdicts):
        named = diagnose(cells, _tried(cases, outcomes, verdicts))
        verdicts = [
            _explained(v, named[v.function]) if v.function in named else v for v in verdicts
        ]
    return tuple(verdicts)


def _explained(verdict: Verdict, diagnosis: Diagnosis) -> Verdict:
    """The verdict with the mistake behind it, which costs nothing if it cost points before."""
    if verdict.verdict != "pass":
        verdict = replace(verdict, misconception=diagnosis.student, staff=diagnosis.staff)
        if diagnosis.charged:
            return replace(
                verdict, verdict="pass", earned=verdict.points, message=diagnosis.charged
            )
    return replace(verdict, earned=verdict.points) if diagnosis.charged else verdict


def _tried(
    cases: Sequence[GradedCase], outcomes: Mapping[str, Outcome], verdicts: Sequence[Verdict]
) -> dict[str, list[tuple[Outcome, bool]]]:
    """For each function that is there: the outcomes of its cases, and whether each passed."""
    tried: dict[str, list[tuple[Outcome, bool]]] = {}
    for case, verdict in zip(cases, verdicts, strict=True):
        outcome = outcomes[case.name], verdict.verdict == "pass"
        tried.setdefault(verdict.function, []).append(outcome)
    # A child may say of one call that the function is missing and of the next that it is there.
    return {
        function: cases
        for function, cases in tried.items()
        if all(outcome.status != "missing" for outcome, _ in cases)
    }


def _verdict(case: GradedCase, cells: Sequence[Cell], load: Load, outcome: Outcome) -> Verdict:
    if outcome.status == "returned":
        return _known(case, outcome)
    if outcome.status == "missing":
        return _failed(case, *_missing(case.call.function, cells, load))
    return _failed(case, *_ended(case, outcome))


def _failed(case: GradedCase, kind: Kind, message: str) -> Verdict:
    return replace(case.passed, earned=NOTHING, verdict=kind, message=message)


def _known(case: GradedCase, outcome: Outcome) -> Verdict:
    """The verdict on a result, which depends on nothing else and is found once."""
    verdict = case.judged.get(outcome.digest)
    if verdict is None:
        problem = _returned(case, outcome)
        verdict = case.passed if problem is None else _failed(case, "fail", problem)
        case.judged[outcome.digest] = verdict
    return verdict


def _earned(case: GradedCase, verdict: Verdict, passed: Set[tuple[str, str]]) -> Verdict:
    """The verdict, without its points where `only_with` makes them depend on another case."""
    partner = case.prepared.case.only_with
    if partner is None or verdict.verdict != "pass" or (verdict.challenge, partner) in passed:
        return verdict
    text = "Right, but these points count only once the function is right for other inputs too."
    return replace(verdict, earned=NOTHING, message=text)


def _missing(function: str, cells: Sequence[Cell], load: Load) -> tuple[Kind, str]:
    """No such function: because its cell failed, because of its name, or not there at all."""
    defines = re.compile(rb"^[ \t]*def[ \t]+" + function.encode() + rb"\b", re.MULTILINE)
    for cell, error in zip(cells, load.cells, strict=False):
        if error is not None and (defines.search(cell.source) or len(cells) == 1):
            kind: Kind = UNLOADED.get(error.type_name, "error")
            text = f"{function} could not be used, because {cell.name} could not be run to its end"
            return kind, f"{text}: {_error_text(error, cell.name)}"
    close = get_close_matches(function, sorted(_defined(cells)), n=1, cutoff=0.75)
    hint = f" There is one named {close[0]}: is that it?" if close else ""
    return "missing", missing_text(function) + hint


def _defined(cells: Sequence[Cell]) -> set[str]:
    """Names of the functions defined; of so many that a search would take long, the first."""
    found = (
        match[1].decode("ascii", "replace")
        for cell in cells
        for match in re.finditer(rb"^def[ \t]+([A-Za-z_]\w{0,60})\b", cell.source, re.MULTILINE)
    )
    return set(islice(found, MOST_NAMES))


def _ended(case: GradedCase, outcome: Outcome) -> tuple[Kind, str]:
    """A call that gave no result."""
    function, limits = case.call.function, case.call.limits
    public = case.prepared.case.visibility == "public"
    match outcome.status:
        case "raised":
            return "error", _raised(function, outcome.error, public)
        case "timeout":
            return "timeout", (
                f"{function} did not finish within {limits.wall_seconds:g} s. "
                "Does a loop never end, or is far more calculated than needed?"
            )
        case "memory":
            return "memory", f"{function} asked for more than {limits.memory_mib} MiB of memory."
        case "blocked":
            return "blocked", (
                f"{function} tried something that is not allowed while grading "
                "(files, network, other programs)."
            )
        case "output":
            return "error", (
                f"{function} printed more than {limits.output_kib} KiB or returned more than "
                f"{limits.result_mib} MiB."
            )
        case "crash":
            return "error", f"{function} ended the whole Python process instead of returning."
        case _:
            return "broken", (
                "The grader failed on this case. That is not your fault and costs you nothing; "
                "it will be graded again."
            )


def _raised(function: str, error: ErrorText | None, public: bool) -> str:
    if error is None:
        return f"{function} raised an exception."
    if public:
        return f"{function} raised {_error_text(error, '')}"
    kind = f" ({error.type_name})" if error.type_name in KNOWN_ERRORS else ""
    return f"{function} raised an exception{kind}."


def _error_text(error: ErrorText, here: str) -> str:
    place = error.cell or ""
    where = f" ({place}, line {error.line})" if place and error.line else ""
    if place == here and error.line:
        where = f" (line {error.line})"
    if error.type_name in UNLOADED or error.type_name in {"crash", "output"}:
        return error.message or error.type_name
    message = f": {error.message}" if error.message else ""
    return f"{error.type_name}{message}{where}"


def _returned(case: GradedCase, outcome: Outcome) -> str | None:
    """Compare every repeat with what is expected, then look at the inputs; what is wrong."""
    if not outcome.changed and all(_plainly_right(case, value) for value in outcome.values):
        return None
    prepared, challenge, parts = case.prepared, case.challenge, case.parts
    detail, function = prepared.case, prepared.function
    public = detail.visibility == "public"
    law = None if detail.expect == "reference" else LAWS[detail.expect]
    first: tuple[Any, ...] = ()
    for turn, value in enumerate(outcome.values):
        got = _plain(value, public)
        again = (
            f"Called {turn + 1} times with the same inputs, the result changes. " if turn else ""
        )
        # A law says nothing of the values; but asked again, they must be the same.
        expected = first if law and turn else prepared.expected
        absolute = np.inf if law and not turn else challenge.tolerance.absolute
        problem = check_result(
            got,
            expected,
            parts,
            relative=challenge.tolerance.relative,
            absolute=float(absolute),
            show_values=public,
        )
        if problem is not None:
            return f"{again}{problem.message} Hint: {detail.hint}"
        arrays = got if isinstance(got, tuple) else (got,)
        if law is not None:
            for (name, _), array in zip(parts, arrays, strict=True):
                if wrong := law(array):
                    return f"{name}: {wrong}. Hint: {detail.hint}"
        first = first or arrays
    if outcome.changed:
        names = [function.parameters[index].name for index in outcome.changed]
        return changed_text(function.name, names)
    return None


def _plainly_right(case: GradedCase, value: Value) -> bool:
    """Whether a value is as expected: what `check_result` finds too, but in a few steps."""
    values = value.items if isinstance(value, Items) and value.kind == "tuple" else (value,)
    expected = case.prepared.expected
    if len(values) != len(expected) or (len(expected) == 1) != (values[0] is value):
        return False
    for got, right, allowed in zip(values, expected, case.allowed, strict=True):
        if not isinstance(got, Array) or got.dtype != "<f8" or got.data.shape != right.shape:
            return False
        if not ((got.data == right) | (np.abs(got.data - right) <= allowed)).all():
            return False
    return True


def _plain(value: Value, public: bool) -> Any:
    """A described value as `check_result` takes it; hidden cases show no name of a student's."""
    if isinstance(value, Array):
        return value.data
    if isinstance(value, Items):
        if value.kind == "tuple":
            return tuple(_plain(item, public) for item in value.items)
        return Other("list")
    return value if public or value.type_name in KNOWN_TYPES else Other("")

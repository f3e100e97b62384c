"""The model of a challenge: functions to write, hints, limits and cases, as in `challenge.yaml`."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Field, Tag, field_validator, model_validator

from challenges.explain import suggest
from challenges.figures import FigureCall
from challenges.laws import LAWS
from challenges.source import Content

Text = Annotated[str, Field(min_length=1)]
Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
PythonName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Visibility = Literal["public", "hidden"]


class Edit(Content):
    """Overwrite or raise some entries of an input: at an index, or above the diagonal."""

    where: Literal["above-diagonal", "diagonal"] | list[int | None]
    set: float | None = None
    add: float | None = None

    @model_validator(mode="after")
    def _one_change(self) -> Self:
        if (self.set is None) == (self.add is None):
            raise ValueError("exactly one of set and add is expected")
        return self


class Draw(Content):
    """Random numbers from the case's seed: `scale` × draw + `shift`, then the edits in order."""

    draw: Literal["normal", "uniform", "integers"]
    shape: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1, max_length=4)]
    scale: float = 1.0
    shift: float = 0.0
    edits: list[Edit] = []


class Numbers(Content):
    """Explicit numbers, for inputs that need edits or that say their meaning better in full."""

    numbers: list[Any]
    edits: list[Edit] = []


def _input_kind(value: Any) -> str:
    if isinstance(value, dict):
        return next((kind for kind in ("draw", "call", "numbers") if kind in value), "draw")
    for kind, model in (("draw", Draw), ("call", FigureCall), ("numbers", Numbers)):
        if isinstance(value, model):
            return kind
    return "list" if isinstance(value, list) else "value"


Input = Annotated[
    Annotated[Draw, Tag("draw")]
    | Annotated[FigureCall, Tag("call")]
    | Annotated[Numbers, Tag("numbers")]
    | Annotated[list[Any], Tag("list")]
    | Annotated[bool | int | float, Tag("value")],
    Discriminator(_input_kind),
]


class Limits(Content):
    """What student code may use: seconds and MiB for each call or load, KiB of printed text."""

    wall_seconds: Annotated[float, Field(gt=0, le=600)] = 5.0
    load_seconds: Annotated[float, Field(gt=0, le=600)] = 10.0
    cpu_seconds: Annotated[float, Field(gt=0, le=600)] = 30.0
    memory_mib: Annotated[int, Field(ge=256, le=65536)] = 1024
    output_kib: Annotated[int, Field(ge=1, le=65536)] = 64
    result_mib: Annotated[int, Field(ge=1, le=1024)] = 1  # the grader holds so much of every case


class Tolerance(Content):
    """|got − expected| ≤ absolute + relative · |expected| counts as equal."""

    relative: Annotated[float, Field(ge=0, lt=1)] = 1e-6
    absolute: Annotated[float, Field(ge=0)] = 1e-8


class Returned(Content):
    """One returned array: its name in messages and its shape in symbols, e.g. `[n, d_k]`."""

    name: Text
    shape: list[Text | int]


class Parameter(Content):
    """One parameter of a student function; a case may leave out an `optional` one at the end."""

    name: PythonName
    shape: list[Text | int] = []
    text: Text
    optional: bool = False


class Function(Content):
    """A function that the student writes; the reference has one of the same name."""

    name: PythonName
    signature: Text
    purpose: Text
    parameters: Annotated[list[Parameter], Field(min_length=1)]
    returns: Annotated[list[Returned], Field(min_length=1)]


class Case(Content):
    """One call of one student function: inputs, what is expected, points, who may see it.

    With `only_with` the case earns its points only where that case, of the same function, passes
    too: so that typed-in answers to a public case, or a trivial result, earn nothing. `tags` say
    what is special about the inputs; observations (`challenges/faults/`) go by them.
    """

    id: Identifier
    function: PythonName
    visibility: Visibility
    points: Fraction
    title: Text
    hint: Text
    inputs: dict[PythonName, Input]
    seed: Annotated[int, Field(ge=0)] = 0
    repeat: Annotated[int, Field(ge=1, le=10)] = 1
    expect: Text = "reference"
    only_with: Identifier | None = None
    tags: list[Identifier] = []
    reason: str = ""

    @field_validator("points")
    @classmethod
    def _not_negative(cls, points: Fraction) -> Fraction:
        if points < 0:
            raise ValueError("points of 0 or more are expected")
        return points

    @field_validator("expect")
    @classmethod
    def _known_expectation(cls, expect: str) -> str:
        if expect != "reference" and expect not in LAWS:
            raise ValueError("reference or the name of a law" + suggest(expect, LAWS))
        return expect


class Challenge(Content):
    """One coding challenge. `points` is what its cases must total."""

    id: Identifier
    number: Annotated[int, Field(ge=1)]
    title: Text
    points: Annotated[int, Field(gt=0)]
    prompt: Text
    functions: Annotated[list[Function], Field(min_length=1)]
    hints: Annotated[list[Text], Field(min_length=3, max_length=4)]
    cases: Annotated[list[Case], Field(min_length=1)]
    limits: Limits = Limits()
    tolerance: Tolerance = Tolerance()

    def function(self, name: str) -> Function:
        """The declared function of that name."""
        return next(f for f in self.functions if f.name == name)

    def visible(self, visibility: Visibility) -> list[Case]:
        """The public or the hidden cases, in order."""
        return [case for case in self.cases if case.visibility == visibility]

    def mistakes(self) -> list[tuple[tuple[str | int, ...], str]]:
        """What single fields cannot show: (place, sentence) for each."""
        found: list[tuple[tuple[str | int, ...], str]] = []
        names = [function.name for function in self.functions]
        counts = Counter(case.id for case in self.cases)
        for index, case in enumerate(self.cases):
            here = ("cases", index)
            if counts[case.id] > 1:
                found.append(((*here, "id"), f"the id '{case.id}' is used {counts[case.id]} times"))
            if case.function not in names:
                message = f"no function '{case.function}' in this challenge"
                found.append(((*here, "function"), message + suggest(case.function, names)))
                continue
            if problem := self._only_with_problem(case):
                found.append(((*here, "only_with"), problem))
            found += [((*here, *key), text) for key, text in self._input_problems(case)]
        total = sum((case.points for case in self.cases), Fraction(0))
        if total != self.points:
            found.append((("points",), f"found {self.points}, but the cases total {total}"))
        if unused := [name for name in names if name not in {c.function for c in self.cases}]:
            found.append((("functions",), f"no case calls {', '.join(unused)}"))
        return found

    def _input_problems(self, case: Case) -> list[tuple[tuple[str, ...], str]]:
        declared = self.function(case.function).parameters
        names = [p.name for p in declared]
        found: list[tuple[tuple[str, ...], str]] = []
        for name in case.inputs:
            if name not in names:
                message = f"{case.function} has no parameter '{name}'"
                found.append((("inputs", name), message + suggest(name, names)))
        last = max((i for i, name in enumerate(names) if name in case.inputs), default=-1)
        missing = [
            p.name
            for i, p in enumerate(declared)
            if p.name not in case.inputs and (i < last or not p.optional)
        ]
        if missing:
            message = f"no input for {', '.join(missing)} of {case.function}"
            found.append((("inputs",), message))
        return found

    def _only_with_problem(self, case: Case) -> str:
        if case.only_with is None:
            return ""
        others = {c.id: c for c in self.cases if c.function == case.function and c.id != case.id}
        other = others.get(case.only_with)
        if other is None:
            free = [c.id for c in others.values() if c.only_with is None]
            return f"no other case '{case.only_with}' of {case.function}" + suggest(
                case.only_with, free
            )
        return "" if other.only_with is None else f"'{other.id}' has an only_with of its own"

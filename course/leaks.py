"""Search student files for secrets; every build does, and fails if it finds one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from course.decode import View, views
from course.secret import Secrets, normal

_NUMBER = re.compile(
    r"(?<![\w.])[-+−]?(?:0x[0-9a-fA-F.]+p[-+]?\d+|\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)"
)
_SEED = re.compile(r"(?:seed|default_rng|RandomState|SeedSequence)\W{0,12}(\d+)")
_ANSWER = re.compile(
    r"[\"'](?:right[\"']\s*:\s*(?:true|false)|(?:answer|tolerance)[\"']\s*:\s*[-\d.]|"
    r"(?:rightReply|wrongReply|knownWrong|right_reply|wrong_reply|known_wrong)[\"']\s*:)|"
    r"\bdata-(?:right|answer|correct|reply)="
)
ENOUGH_DIGITS = 12
"""Significant digits that must agree in a row of numbers to be no chance: twice as many in a row of
short ones (0.5, −1), which anybody writes; ten are enough in a single number."""


@dataclass(frozen=True, order=True)
class Leak:
    """A secret in a student file: where, and what."""

    file: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}: holds {self.what}"


def find_leaks(files: Mapping[str, bytes], secrets: Secrets) -> list[Leak]:
    """Every secret in every file, once a file; an empty list is what a build wants."""
    index = _Index(secrets.arrays, secrets.public)
    leaks = set()
    for name, data in files.items():
        named = View("the file's name", name.encode(), name)
        for view in (named, *views(data)):
            for what in _in_view(view, secrets, index):
                leaks.add(Leak(name, what))
    return sorted(leaks)


def _in_view(view: View, secrets: Secrets, index: _Index) -> Iterator[str]:
    plain = normal(view.text)
    untagged = normal(re.sub(r"<[^<>]*>", "", view.text))
    for needle, what in secrets.texts.items():
        if needle in plain or needle in untagged:
            yield what
    words = set(re.findall(r"[\w-]+", view.text))
    yield from (what for name, what in secrets.names.items() if name in words)
    for match in _SEED.finditer(view.text):
        if (seed := int(match[1])) in secrets.seeds:
            yield secrets.seeds[seed]
    for seed, what in secrets.seeds.items():
        if seed >= 10_000 and str(seed) in words:
            yield what
    yield from index.in_text(view.text)
    yield from index.in_bytes(view.data)
    if secrets.graded and (found := _ANSWER.search(view.text)):
        yield f"the answer to a graded question ({found[0]})"


class _Index:
    """Finds rows of secret numbers in text, whatever their format, and their bytes in data."""

    def __init__(self, arrays: list[tuple[np.ndarray, str]], public: np.ndarray) -> None:
        self.public = public
        self.rows: list[list[float]] = []
        self.labels: list[str] = []
        self.raw: list[tuple[bytes, str]] = []
        for array, what in arrays:
            for order in [array, array.T] if array.ndim == 2 else [array]:
                self.rows.append(order[order != 0].tolist())  # zeros say nothing: left out
                self.labels.append(what)
            if len(np.unique(array)) >= 3:
                self.raw += [(array.astype(t).tobytes(), what) for t in ("<f8", "<f4", ">f8")]
        everywhere = [(n, p) for n, row in enumerate(self.rows) for p in range(len(row))]
        self.anywhere = self._ordered(everywhere)
        self.at_start = self._ordered([(n, p) for n, p in everywhere if p == 0])

    def _ordered(self, places: list[_Place]) -> tuple[np.ndarray, list[_Place]]:
        """The places by the value that stands there."""
        places = sorted(places, key=lambda place: self.rows[place[0]][place[1]])
        return np.array([self.rows[n][p] for n, p in places]), places

    def in_bytes(self, data: bytes) -> Iterator[str]:
        """Secret arrays as raw floats."""
        yield from (what for raw, what in self.raw if raw in data)

    def in_text(self, text: str) -> Iterator[str]:
        """Secret arrays whose entries follow each other as numbers in the text."""
        runs: list[tuple[_Place, _Run]] = []
        for match in _NUMBER.finditer(text):
            value, step, digits = _parsed(match[0])
            if value == 0:
                continue
            if digits > 3 and _within(self.public, value, step):
                digits = 0  # the lesson shows this number: it gives nothing away
            follow = [
                ((n, p + 1), run)
                for (n, p), run in runs
                if p + 1 < len(self.rows[n]) and abs(self.rows[n][p + 1] - value) <= step
            ]
            # Short numbers are everywhere: they count from the start of an array only.
            values, places = self.anywhere if digits > 3 else self.at_start
            begin = [(places[i], _Run()) for i in _within(values, value, step)]
            runs = [(place, run.followed_by(value, digits)) for place, run in (*follow, *begin)]
            yield from (self.labels[place[0]] for place, run in runs if run.telling)


_Place = tuple[int, int]
"""A row of the index and a position in it."""


class _Run(NamedTuple):
    """Numbers of a text that follow each other as in a secret array."""

    length: int = 0
    digits: int = 0
    values: tuple[float, ...] = ()

    def followed_by(self, value: float, digits: int) -> _Run:
        """The run with one number more; `values` keeps up to three that differ."""
        new = digits and len(self.values) < 3 and value not in self.values
        values = (*self.values, value) if new else self.values
        return _Run(self.length + 1, self.digits + digits, values)

    @property
    def telling(self) -> bool:
        """Whether this is no chance."""
        if self.length == 1:
            return self.digits >= 10
        needed = ENOUGH_DIGITS if self.digits > 2 * self.length else 2 * ENOUGH_DIGITS
        return self.digits >= needed and len(self.values) >= 3


def _within(ordered: np.ndarray, value: float, step: float) -> range:
    """Where the numbers from value − step to value + step stand."""
    low, high = np.searchsorted(ordered, [value - step, value + step])
    return range(int(low), int(high))


def _parsed(token: str) -> tuple[float, float, int]:
    """A number as written, one unit of its last place, its significant digits."""
    sign, token = -1.0 if token[0] in "-−" else 1.0, token.lstrip("-+−")
    if token.startswith("0x"):
        value = sign * float.fromhex(token)
        return value, abs(value) * 1e-12, 16
    mantissa, _, exponent = token.lower().partition("e")
    whole, _, decimals = mantissa.partition(".")
    digits = len((whole + decimals).lstrip("0"))
    value = sign * float(token)
    exact = 1e-12 + abs(value) * 1e-12
    if value.is_integer() or digits <= 3:  # exact as written: 1, 0.5, −0.75
        return value, exact, digits
    return value, max(exact, 10.0 ** (int(exponent or 0) - len(decimals))), digits

"""Results as plain data, to come back from another machine: JSON, nothing that could be run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from fractions import Fraction
from functools import lru_cache
from typing import Any

from grader.verdict import Part, Result, Verdict

POINTS = {"points", "earned", "possible"}
TUPLES: dict[str, type[Part] | type[Verdict] | None] = {
    "parts": Part,
    "verdicts": Verdict,
    "notes": None,
}

NAMES = {kind: tuple(f.name for f in fields(kind)) for kind in (Result, Part, Verdict)}


def to_json(results: Iterable[Result]) -> bytes:
    """The results as JSON, points exact."""
    return json.dumps([_plain(result) for result in results]).encode()


def from_json(data: bytes) -> list[Result]:
    """The results again; raises ValueError, KeyError or TypeError for anything else."""
    return [_built(Result, item) for item in json.loads(data)]


def _plain(thing: Result | Part | Verdict) -> dict[str, Any]:
    return {name: _value(getattr(thing, name)) for name in NAMES[type(thing)]}


def _value(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(v) if isinstance(v, Part | Verdict) else v for v in value]
    return dict(value) if isinstance(value, Mapping) else value


@lru_cache(1000)
def _points(exact: str) -> Fraction:
    return Fraction(exact)


def _built(kind: Any, item: Any) -> Any:
    if not isinstance(item, dict) or item.keys() != set(NAMES[kind]):
        raise ValueError(f"not a {kind.__name__}")
    values: dict[str, Any] = {}
    for name, value in item.items():
        if name in POINTS:
            values[name] = None if value is None else _points(value)
        elif name in TUPLES:
            part = TUPLES[name]
            values[name] = tuple(_built(part, v) if part else str(v) for v in value)
        elif name == "provenance":
            values[name] = dict(value)
        elif name == "answers":
            values[name] = {
                str(question): (bool(right), [int(place) for place in places])
                for question, (right, places) in value.items()
            }
        else:
            values[name] = str(value)
    return kind(**values)

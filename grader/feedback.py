"""One submission's result for its student: `feedback/<id>.json`, and `.html` for a person."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from grader.provenance import full_provenance
from grader.remembered import Remembered
from grader.verdict import Part, Result, Verdict, points_text, rounded

WORDS = {
    "pass": "Right",
    "fail": "Not right",
    "error": "Stopped with an error",
    "timeout": "Took too long",
    "memory": "Used too much memory",
    "missing": "Missing",
    "blocked": "Not allowed",
    "broken": "Grader failed",
}
SIGNS = {"pass": "✓", "broken": "–"}

_environment = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.filters["points"] = points_text
_page = _environment.get_template("feedback.html.jinja")
_verdict = _environment.get_template("feedback_verdict.html.jinja")
REMEMBERED, LONGEST = 5_000, 2_500
"""So many verdicts are kept as they are written, none longer than so many characters: some ten
megabytes, and at the very most fifty."""


class Feedback:
    """Writes the feedback of one run as text; `run` is what all its results have in common."""

    def __init__(self, run: Mapping[str, Any]) -> None:
        self.run = run
        self._made: Remembered[tuple[Any, ...], tuple[Markup, dict[str, Any]]] = Remembered(
            REMEMBERED
        )

    def files(self, result: Result) -> tuple[str, str]:
        """The page and the data of a result."""
        provenance = full_provenance(self.run, result.provenance)
        told: tuple[str, ...] = ()
        made = []
        for verdict in result.verdicts:
            idea = verdict.challenge, verdict.function, verdict.misconception
            made.append(self._verdict(verdict, bool(verdict.misconception) and idea != told))
            told = idea if verdict.misconception else told
        page = _page.render(
            result=result,
            run=self.run,
            challenges=_by_challenge(result, [item for item, _ in made]),
            provenance=provenance,
        )
        data = feedback_data(result, provenance, [data for _, data in made])
        return page, json.dumps(data, ensure_ascii=False)

    def _verdict(self, verdict: Verdict, idea: bool) -> tuple[Markup, dict[str, Any]]:
        """A verdict on the page, with the idea behind it or without, and as data.

        Made once: in a class, most verdicts come many times.
        """
        earned = bool(verdict.earned)  # all of its points, or none
        key = (
            *(verdict.challenge, verdict.case, verdict.verdict, earned),
            *(verdict.message, verdict.misconception, idea),
        )
        made = self._made.get(key)
        if made is None:
            text = _verdict.render(v=verdict, idea=idea, run=self.run, words=WORDS, signs=SIGNS)
            made = Markup(text), _verdict_data(verdict)  # escaped by its own template
            if len(text) <= LONGEST:
                self._made[key] = made
        return made


def write_feedback(folder: Path, name: str, page: str, data: str) -> None:
    """Write both files of a result; the second one seals the first."""
    (folder / f"{name}.html").write_text(page, "utf-8", "backslashreplace")
    (folder / f"{name}.json").write_text(data, "utf-8", "backslashreplace")


def is_written(folder: Path, result: Result) -> bool:
    """Whether the feedback of this very result is there already."""
    try:
        text = (folder / f"{result.id}.json").read_text("utf-8")
        return f'"key": "{result.provenance["key"]}"' in text
    except (OSError, KeyError, UnicodeDecodeError):
        return False


def feedback_data(
    result: Result, provenance: Mapping[str, Any], verdicts: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The result as plain data, the points rounded by the one rule."""
    return {
        "submission": result.submission,
        "status": result.status,
        "score": _number(result.earned),
        "possible": _number(result.possible),
        "reason": "" if result.status == "broken" else result.reason,  # a traceback is for staff
        "notes": list(result.notes),
        "verdicts": verdicts,
        "provenance": provenance,
    }


def _verdict_data(verdict: Verdict) -> dict[str, Any]:
    return {
        "challenge": verdict.challenge,
        "case": verdict.case,
        "function": verdict.function,
        "visibility": verdict.visibility,
        "points": _number(verdict.points),
        "earned": _number(verdict.earned),
        "verdict": verdict.verdict,
        "message": verdict.message,
        "misconception": verdict.misconception or None,
    }


def _number(points: Fraction | None) -> int | float | None:
    if points is None:
        return None
    return int(points) if points.denominator == 1 else float(rounded(points))


def _by_challenge(result: Result, items: Sequence[Markup]) -> list[tuple[Part, Markup]]:
    """Each part with its verdicts, which are given as items of a list."""
    of: dict[str, list[Markup]] = {part.name: [] for part in result.parts}
    for verdict, item in zip(result.verdicts, items, strict=True):
        of[verdict.challenge].append(item)
    return [(part, Markup("".join(of[part.name]))) for part in result.parts]  # escaped before

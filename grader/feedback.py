"""One submission's result for its student: `feedback/<id>.json`, and `.html` for a person."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from grader.provenance import full_provenance
from grader.verdict import Result, Verdict, points_text, rounded

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
_head = _environment.get_template("feedback_head.html.jinja")


class FeedbackWriter:
    """Writes the feedback of one run; `run` is what all its results have in common."""

    def __init__(self, folder: Path, run: Mapping[str, Any]) -> None:
        self.folder = folder
        self.run = run
        self._heads: dict[tuple[Any, ...], Markup] = {}

    def write(self, result: Result) -> None:
        """Write both files; the second one seals the first."""
        provenance = full_provenance(self.run, result.provenance)
        page = _page.render(
            result=result,
            run=self.run,
            head=self._head,
            challenges=_by_challenge(result),
            provenance=provenance,
        )
        (self.folder / f"{result.id}.html").write_text(page, "utf-8", "backslashreplace")
        text = json.dumps(feedback_data(result, provenance), ensure_ascii=False)
        self._file(result).write_text(text, "utf-8", "backslashreplace")

    def _head(self, verdict: Verdict) -> Markup:
        """The first line of a verdict, made once for all who got the same."""
        key = (verdict.challenge, verdict.case, verdict.verdict, verdict.earned)
        if key not in self._heads:
            text = _head.render(v=verdict, run=self.run, words=WORDS, signs=SIGNS)
            self._heads[key] = Markup(text)  # escaped by its own template
        return self._heads[key]

    def holds(self, result: Result) -> bool:
        """Whether the feedback of this very result is there already."""
        try:
            return f'"key": "{result.provenance["key"]}"' in self._file(result).read_text("utf-8")
        except (OSError, KeyError, UnicodeDecodeError):
            return False

    def _file(self, result: Result) -> Path:
        return self.folder / f"{result.id}.json"


def feedback_data(result: Result, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The result as plain data, the points rounded by the one rule."""
    return {
        "submission": result.submission,
        "status": result.status,
        "score": _number(result.earned),
        "possible": _number(result.possible),
        "reason": "" if result.status == "broken" else result.reason,  # a traceback is for staff
        "notes": list(result.notes),
        "verdicts": [
            {
                "challenge": v.challenge,
                "case": v.case,
                "function": v.function,
                "visibility": v.visibility,
                "points": _number(v.points),
                "earned": _number(v.earned),
                "verdict": v.verdict,
                "message": v.message,
                "misconception": v.misconception or None,
            }
            for v in result.verdicts
        ],
        "provenance": provenance,
    }


def _number(points: Fraction | None) -> int | float | None:
    if points is None:
        return None
    return int(points) if points.denominator == 1 else float(rounded(points))


def _by_challenge(result: Result) -> list[tuple[Any, list[Any]]]:
    """Each part with its verdicts."""
    return [
        (part, [v for v in result.verdicts if v.challenge == part.name]) for part in result.parts
    ]

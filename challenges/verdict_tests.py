"""Otter test files that assert on finished verdicts, so that no test ever runs student code.

Each test takes a verdict by its parameter's name, as a pair: do its points count, and a message.
The grader runs these files in its own process; the exported autograder runs them in otter's kernel.
"""

from __future__ import annotations

from collections.abc import Iterable

from challenges.model import Challenge

QUESTIONS = "questions"


def verdict_name(challenge: str, case: str) -> str:
    """The name under which a test finds its verdict: ids hold no underscore, so it is unique."""
    return f"{challenge}__{case}".replace("-", "_")


def verdict_tests(challenge: Challenge) -> str:
    """The text of the test file of one challenge."""
    cases = ((c.id, float(c.points), c.visibility == "hidden") for c in challenge.cases)
    return _test_file(challenge.id, cases)


def question_tests(identifiers: Iterable[str]) -> str:
    """The text of the test file of graded questions: a point for each, shown to nobody."""
    return _test_file(QUESTIONS, ((identifier, 1.0, True) for identifier in identifiers))


def _test_file(name: str, cases: Iterable[tuple[str, float, bool]]) -> str:
    lines = [
        f"# Asserts on the finished verdicts of {name}; calculates nothing.",
        "OK_FORMAT = False",
        "",
        "from otter.test_files import test_case",
        "",
        f"name = {name!r}",
        "points = None",
    ]
    for number, (case, points, hidden) in enumerate(cases, start=1):
        lines += [
            "",
            "",
            f"@test_case(name={case!r}, points={points!r}, hidden={hidden!r})",
            f"def case_{number}({verdict_name(name, case)}):",
            f"    counts, message = {verdict_name(name, case)}",
            "    assert counts, message",
        ]
    return "\n".join(lines) + "\n"

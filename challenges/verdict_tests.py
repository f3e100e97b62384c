"""Otter test files that assert on finished verdicts, so that no test ever runs student code.

Each test takes a verdict by its parameter's name, as a pair: do its points count, and a message.
The grader runs these files in its own process; the exported autograder runs them in otter's kernel.
"""

from __future__ import annotations

from challenges.model import Challenge


def verdict_name(challenge: str, case: str) -> str:
    """The name under which a test finds its verdict: ids hold no underscore, so it is unique."""
    return f"{challenge}__{case}".replace("-", "_")


def verdict_tests(challenge: Challenge) -> str:
    """The text of the test file of one challenge."""
    lines = [
        f"# Asserts on the finished verdicts of the challenge {challenge.id}; calculates nothing.",
        "OK_FORMAT = False",
        "",
        "from otter.test_files import test_case",
        "",
        f"name = {challenge.id!r}",
        "points = None",
    ]
    for number, case in enumerate(challenge.cases, start=1):
        points, hidden = float(case.points), case.visibility == "hidden"
        lines += [
            "",
            "",
            f"@test_case(name={case.id!r}, points={points!r}, hidden={hidden!r})",
            f"def case_{number}({verdict_name(challenge.id, case.id)}):",
            f"    counts, message = {verdict_name(challenge.id, case.id)}",
            "    assert counts, message",
        ]
    return "\n".join(lines) + "\n"

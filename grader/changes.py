"""What changed between two runs: whose marks, by which case, and why.

A cause is what is recorded otherwise in the two gradebooks and bears on the case: the tests (its
own YAML), the reference (what it expects), the submission, the grader's code, the environment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grader.gradebook import Gradebook
from grader.verdict import Result, Verdict

UNKNOWN = "nothing that is recorded: does the code give the same twice, or is a limit near?"


@dataclass(frozen=True)
class CaseChange:
    """One case that earned otherwise; None where a run does not have it."""

    name: str
    before: Verdict | None
    after: Verdict | None
    causes: tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """A submission whose marks changed; None where a run does not have it.

    `causes` are those of all its cases, or of the whole where no case tells.
    """

    submission: str
    before: Result | None
    after: Result | None
    cases: tuple[CaseChange, ...] = ()
    causes: tuple[str, ...] = ()


def changes(old: Gradebook, new: Gradebook) -> Iterator[Change]:
    """Every submission whose marks are not the same in both, in the order of the paths."""
    causes = Causes(old.run, new.run)
    for before, after in _joined(old.results(), new.results()):
        if before is None or after is None:
            result = before or after
            assert result is not None
            yield Change(result.submission, before, after)
        elif change := compare(before, after, causes, _marks):
            yield change


def compare(
    before: Result, after: Result, causes: Causes, standing: Callable[[Verdict], object]
) -> Change | None:
    """The change between two results of a submission; `standing` is what counts of a verdict."""
    old = {f"{v.challenge}/{v.case}": v for v in before.verdicts}
    new = {f"{v.challenge}/{v.case}": v for v in after.verdicts}
    whole = causes.of_result(before, after)
    cases: list[CaseChange] = []
    if old and new:  # else a whole submission was refused, or no longer is
        for name in dict.fromkeys((*new, *old)):
            was, now = old.get(name), new.get(name)
            if was is None or now is None or standing(was) != standing(now):
                cases.append(CaseChange(name, was, now, causes.of_case(name, whole)))
    if not cases and before.parts == after.parts and before.status == after.status:
        return None
    named = tuple(dict.fromkeys(cause for case in cases for cause in case.causes))
    return Change(after.submission, before, after, tuple(cases), named or whole or (UNKNOWN,))


def _marks(verdict: Verdict) -> object:
    return verdict.earned, verdict.points, verdict.verdict == "broken"


class Causes:
    """What two runs record otherwise."""

    def __init__(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        self._old, self._new = old, new
        self._code: tuple[str, ...] = ()
        if old["code"] != new["code"]:
            names = [run["commit"][:10] or run["kit"] for run in (old, new)]
            self._code = (f"grader ({names[0]} → {names[1]})",)

    def of_result(self, before: Result, after: Result) -> tuple[str, ...]:
        """What bears on a submission as a whole."""
        old = {**self._old, **before.provenance}
        new = {**self._new, **after.provenance}
        found = []
        if any(old.get(name) != new.get(name) for name in ("submission", "answers")):
            found.append("submission")
        if old["hashes"].get("questions") != new["hashes"].get("questions"):
            found.append("questions")
        facts = [{**run["versions"], "tier": run.get("tier")} for run in (old, new)]
        found += [
            f"environment ({name} {facts[0].get(name)} → {facts[1].get(name)})"
            for name in dict.fromkeys((*facts[0], *facts[1]))
            if facts[0].get(name) != facts[1].get(name)
        ]
        return (*found, *self._code)

    def of_case(self, name: str, whole: tuple[str, ...]) -> tuple[str, ...]:
        """What bears on one case; `whole` is what bears on its submission."""
        found = self._of_facts(name)
        if not found and not whole:  # all calls share a process: another case may have done it
            for cause, key in (
                ("tests", "challenges"),
                ("reference", "reference"),
                ("faults", "faults"),  # a mistake that is known now may cost points once only
            ):
                if self._old["hashes"].get(key) != self._new["hashes"].get(key):
                    found.append(cause)
        return (*found, *(cause for cause in whole if cause != "questions")) or (UNKNOWN,)

    def _of_facts(self, name: str) -> list[str]:
        old, new = self._old["facts"].get(name), self._new["facts"].get(name)
        if old is None or new is None:
            return ["tests"]
        found = []
        if old["asked"] != new["asked"]:
            found.append("tests")
        elif old["expected"] != new["expected"]:
            found.append("reference")
        for partner in {old["partner"], new["partner"]} - {None}:  # on which its points depend
            found += [cause for cause in self._of_facts(partner) if cause not in found]
        return found


def _joined(
    old: Iterator[Result], new: Iterator[Result]
) -> Iterator[tuple[Result | None, Result | None]]:
    """Results of the same submission side by side; both come in the order of their paths."""
    before, after = next(old, None), next(new, None)
    while before is not None or after is not None:
        if after is None or (before is not None and before.submission < after.submission):
            yield before, None
            before = next(old, None)
        elif before is None or after.submission < before.submission:
            yield None, after
            after = next(new, None)
        else:
            yield before, after
            before, after = next(old, None), next(new, None)

"""Names the mistake behind a student's wrong results, or says nothing.

For each function with failed cases, in this order: a known fault that gives exactly the same
outcomes in all of its cases, two faults together, a sign that the results show. Where a function
builds on another that is wrong, the root is named there and pointed to here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType

from challenges.cases import Prepared
from challenges.faults import FaultText, FaultTexts, ObservationText
from challenges.model import Challenge
from grader.builds_on import builds_on
from grader.fault_table import FaultTable
from grader.lesson import GradedLesson
from grader.observation import Evidence, Seen, observe
from grader.outcome import Cell, Outcome
from grader.remembered import Remembered

ALTERNATIVES = 3
"""More faults than this that fit equally well are no help to anyone."""
REMEMBERED = 10_000
"""So many looks are remembered; they take a few megabytes."""
BUILDS_ON = "Builds on a wrong"
"""How staff are told that a function goes wrong through another one."""
KNOWABLE = {"returned", "raised"}

Tried = Sequence[tuple[Outcome, bool]]
"""The outcome of each case of a function, in order, and whether it passed."""


@dataclass(frozen=True)
class Diagnosis:
    """What a student and what staff read about one function; `faults` are the names behind it.

    Each entry of `faults` is one mistake, as the faults that cannot be told apart.
    """

    student: str
    staff: str
    faults: tuple[tuple[str, ...], ...] = ()
    builds_on: str = ""
    charged: str = ""
    """Why the function keeps its points, if its mistakes have cost points before."""


@dataclass(frozen=True)
class Look:
    """What a function's outcomes say: every single fault that gives them, and what is behind them
    (the mistakes that explain all outcomes: one, two together, or none)."""

    single: tuple[str, ...] = ()
    faults: tuple[tuple[str, ...], ...] = ()


@dataclass
class Diagnoser:
    """Knows a lesson's faults; `diagnose` looks at one submission. Make one for each run."""

    challenges: Sequence[Challenge]
    prepared: Mapping[str, Sequence[Prepared]]
    reference: ModuleType
    texts: FaultTexts
    _tables: dict[str, FaultTable] = field(default_factory=dict)
    _looks: Remembered[tuple[str, bytes], Look] = field(
        default_factory=lambda: Remembered(REMEMBERED)
    )

    @classmethod
    def of(cls, lesson: GradedLesson) -> Diagnoser:
        """For a loaded lesson."""
        prepared: dict[str, list[Prepared]] = {}
        for case in lesson.cases:
            prepared.setdefault(case.call.function, []).append(case.prepared)
        return cls(lesson.challenges, prepared, lesson.reference, lesson.faults)

    def table(self, function: str) -> FaultTable:
        """The faults of a function, made when first asked for."""
        if function not in self._tables:
            cases = self.prepared[function]
            common = [name for name, text in self.texts.faults.items() if text.common]
            table = FaultTable(
                function, cases, self._owner(function).tolerance, self.reference, common
            )
            self._tables[function] = table
        return self._tables[function]

    def diagnose(self, cells: Sequence[Cell], tried: Mapping[str, Tried]) -> dict[str, Diagnosis]:
        """What is known of each function with failed cases; `tried` is in the lesson's order."""
        failed = {name for name, cases in tried.items() if not all(ok for _, ok in cases)}
        if not failed or not self.texts.faults:
            return {}
        uses = builds_on(cells, tried.keys())
        named: dict[str, tuple[tuple[str, ...], ...]] = {}
        found: dict[str, Diagnosis] = {}
        cost: dict[str, Challenge] = {}
        for function in (name for name in tried if name in failed):
            outcomes = [outcome for outcome, _ in tried[function]]
            faults = self.look(function, outcomes).faults
            named[function] = faults
            roots = [r for r in tried if r in uses[function] and r in failed]
            diagnosis = self._rooted(function, faults, roots, named)
            if diagnosis is None and faults:
                diagnosis = self._named(faults)
            if diagnosis is None:
                diagnosis = self._observed(function, tried[function])
            charged = self._charged(function, faults, outcomes, cost)
            if diagnosis is not None:
                found[function] = replace(diagnosis, charged=charged)
        return found

    def _charged(
        self,
        function: str,
        faults: tuple[tuple[str, ...], ...],
        outcomes: Sequence[Outcome],
        cost: dict[str, Challenge],
    ) -> str:
        """The words for a function whose mistakes have all cost points in an earlier challenge.

        `cost` tells where each fault cost points first; this function's are added.
        """
        here = self._owner(function)
        groups = faults if len(faults) > 1 else (self.look(function, outcomes).single,)
        before = [
            next((cost[n] for n in names if n in cost and self.texts.faults[n].once), None)
            for names in groups
        ]
        for name in (name for names in groups for name in names):
            cost.setdefault(name, here)
        first = (
            before[0] if faults and all(c is not None and c is not here for c in before) else None
        )
        return self.texts.charged_once.format(title=first.title) if first else ""

    def _owner(self, function: str) -> Challenge:
        return next(c for c in self.challenges if any(f.name == function for f in c.functions))

    def look(self, function: str, outcomes: Sequence[Outcome]) -> Look:
        """What all outcomes of a function say. Once: in a class, the same mistake comes often."""
        key = function, b"".join(outcome.digest for outcome in outcomes)
        if key not in self._looks:
            self._looks[key] = self._look(function, outcomes)
        return self._looks[key]

    def _look(self, function: str, outcomes: Sequence[Outcome]) -> Look:
        if not {outcome.status for outcome in outcomes} <= KNOWABLE:
            return Look()
        single = tuple(self.table(function).single(outcomes))
        return Look(single, self._behind(function, outcomes, single))

    def _behind(
        self, function: str, outcomes: Sequence[Outcome], single: tuple[str, ...]
    ) -> tuple[tuple[str, ...], ...]:
        table = self.table(function)
        if fitting := self.fitting(single):
            return (fitting,) if len(fitting) <= ALTERNATIVES else ()
        pairs = self._best(table.pairs(outcomes))
        if not pairs:
            return ()
        common = set(pairs[0]).intersection(*pairs)
        if len(pairs) == 1:
            return tuple((name,) for name in pairs[0])
        if len(common) != 1:
            return ()
        others = self.fitting([name for pair in pairs for name in pair if name not in common])
        if len(others) > ALTERNATIVES:
            return ()
        both = (tuple(common), others)
        return both if pairs[0][0] in common else both[::-1]

    def fitting(self, names: Sequence[str]) -> tuple[str, ...]:
        """The faults without those that the text of another one covers."""
        texts = self.texts.faults
        names = list(dict.fromkeys(name for name in names if name in texts))
        kept = list(names)
        for name in names:
            if any(name in texts[other].covers for other in kept if other != name):
                kept.remove(name)
        return tuple(kept)

    def _best(self, pairs: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """The pairs without those that the texts of another pair cover."""

        def covers(one: str, other: str) -> bool:
            text = self.texts.faults.get(one)
            return one == other or (text is not None and other in text.covers)

        kept = list(pairs)
        for pair in pairs:
            rivals = (p for other in kept if other != pair for p in (other, other[::-1]))
            if any(covers(p[0], pair[0]) and covers(p[1], pair[1]) for p in rivals):
                kept.remove(pair)
        return kept

    def _rooted(
        self,
        function: str,
        faults: tuple[tuple[str, ...], ...],
        roots: Sequence[str],
        named: Mapping[str, tuple[tuple[str, ...], ...]],
    ) -> Diagnosis | None:
        """If the function builds on a wrong one: point there, and name only what is its own."""
        for root in roots:
            theirs = {name for names in named.get(root, ()) for name in names}
            own = tuple(names for names in faults if not theirs & set(names))
            if faults and len(own) == len(faults) and self._would_show(function, theirs):
                continue  # the root's fault does not show here, so this one is the function's own
            if len(own) == len(faults):
                own = ()
            text = (
                f"{function} uses your {root}, which has a mistake of its own: see there, and mend "
                f"that one first."
            )
            rest = self._named(own) if own else None
            if rest is None:
                return Diagnosis(text, f"{BUILDS_ON} {root}.", (), root)
            return Diagnosis(
                f"{text} There is one more mistake here. {rest.student}",
                f"{BUILDS_ON} {root}; besides: {rest.staff}",
                own,
                root,
            )
        return None

    def _would_show(self, function: str, faults: Collection[str]) -> bool:
        return bool(faults) and any(
            known.faults[0] in faults for known in self.table(function).singles
        )

    def _named(self, faults: tuple[tuple[str, ...], ...]) -> Diagnosis:
        student = [self._alternatives(names, staff=False) for names in faults]
        staff = [self._alternatives(names, staff=True) for names in faults]
        if len(faults) == 1:
            return Diagnosis(student[0], staff[0], faults)
        return Diagnosis(
            f"Two mistakes at once. First: {student[0]} Second: {student[1]}",
            f"Two faults: {staff[0]} And: {staff[1]}",
            faults,
        )

    def _alternatives(self, names: tuple[str, ...], staff: bool) -> str:
        texts = [self.texts.faults[name] for name in names]
        told = [self._told(text, staff) for text in texts]
        if len(told) == 1:
            return told[0]
        return "One of these, which give the same results here. " + " Or: ".join(told)

    def _told(self, text: FaultText, staff: bool) -> str:
        if staff:
            return f"{text.name}: {text.staff}"
        number = self.texts.sections.get(text.section)
        reread = f" Reread section {number}." if number else ""
        return f"{text.name}. {text.student}{reread}"

    def _observed(self, function: str, tried: Tried) -> Diagnosis | None:
        table = self.table(function)
        seen = [
            Seen(prepared, outcome, passed)
            for prepared, (outcome, passed) in zip(table.cases, tried, strict=True)
        ]
        sign: ObservationText | None = observe(
            Evidence(seen, table.tolerance), self.texts.observations
        )
        return Diagnosis(sign.student, sign.staff) if sign else None

"""`python -m grader audit`: prove the cases against every known fault, stub and mutant."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from grader.audit.bench import Bench, benches
from grader.audit.matrix import Matrix, escaping_pairs, fault_matrix
from grader.audit.mutants import mutants
from grader.audit.stubs import stubs
from grader.audit.variants import try_variants
from grader.diagnosis import Diagnoser
from grader.grade import add_lesson_option
from grader.lesson import GradedLesson, load_graded_lesson
from grader.sandbox import open_sandbox
from grader.usage import UsageError

VARIANTS = Path("tests") / "submissions" / "variants"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `audit` to the grader's commands."""
    parser = subparsers.add_parser(
        "audit",
        help="say whether the cases catch every known fault",
        description=(
            "Try every known fault, pairs of them, stubs, small changes to the reference and the "
            "stored implementations on all cases. Exit code 1 if something escapes, is misnamed, "
            "earns what it should not, or loses what it should not."
        ),
    )
    parser.add_argument("--brief", action="store_true", help="the findings only, no matrix")
    parser.add_argument(
        "--variants",
        type=Path,
        metavar="DIR",
        help="stored implementations, in folders named after challenges; default: the lesson's",
    )
    add_lesson_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Audit; 0 if clean, 1 if there are findings."""
    began = time.perf_counter()
    if args.variants is not None and not args.variants.is_dir():
        raise UsageError(f"{args.variants} is not a folder")
    lesson = load_graded_lesson(args.lesson)
    console = Console(highlight=False, soft_wrap=True)
    diagnoser = Diagnoser.of(lesson)
    findings: list[str] = []
    for bench in benches(lesson).values():
        matrix = fault_matrix(bench, diagnoser)
        if not args.brief:
            _print_matrix(matrix, console)
        findings += [*matrix.problems, *_case_problems(matrix)]
        findings += [
            f"{bench.function}: the faults {one} and {two} together pass all cases"
            for one, two in escaping_pairs(bench, diagnoser)
        ]
        findings += _stub_problems(bench)
    findings += _mutant_problems(lesson, console)
    folder = args.variants or args.lesson / VARIANTS
    findings += _variant_problems(folder, lesson, diagnoser, console, args.brief)
    seconds = time.perf_counter() - began
    for finding in findings:
        console.print(f"[bold]finding[/bold]  {escape(finding)}")
    console.print(
        f"{len(findings)} findings, {seconds:.0f} s." if findings else f"Clean, {seconds:.0f} s."
    )
    return 1 if findings else 0


def _print_matrix(matrix: Matrix, console: Console) -> None:
    names = matrix.bench.names
    console.print(f"\n[bold]{matrix.bench.function}[/bold]  ● all forms fail, ◐ some, · none")
    for number, name in enumerate(names):
        other = matrix.dominated.get(name)
        note = f"  (catches nothing that {other} does not; stays for its reason)" if other else ""
        console.print(f"  {'│' * number}┌ {name}{note}")
    for row in matrix.rows:
        forms = f"  ({len(row.caught)} forms)" if len(row.caught) > 1 else ""
        console.print(f"  {row.marks()}  {row.fault}{forms}")
    for told, others in matrix.alike.items():
        if others:
            console.print(f"  told as {told}: also some forms of {', '.join(others)}")
        else:
            console.print(f"  told together: {told}")


def _case_problems(matrix: Matrix) -> Iterator[str]:
    """A case that adds nothing must say why it stays."""
    for case in matrix.bench.cases:
        name = case.prepared.case.id
        if name in matrix.dominated and not case.prepared.case.reason:
            other = matrix.dominated[name]
            yield f"{case.name} catches nothing that {other} does not: say why it stays, or drop it"


def _stub_problems(bench: Bench) -> Iterator[str]:
    for name, outcomes in stubs(bench):
        if points := bench.points(outcomes):
            yield f"{bench.function}: the stub “{name}” earns {points} points"


def _mutant_problems(lesson: GradedLesson, console: Console) -> Iterator[str]:
    every = benches(lesson)
    functions = lesson.reference.FUNCTIONS
    code = {name: functions[name] for name in every}

    def run_all() -> None:
        for name, bench in every.items():
            bench.outcomes(code[name])

    for bench in every.values():
        bench.differs(code[bench.function])  # prepares the redrawn cases before anything is mutated
    tried = survived = 0
    for mutant in list(mutants(lesson.reference, run_all)):
        tried += 1
        with mutant.in_place():
            if not all(bench.passes_all(code[name]) for name, bench in every.items()):
                continue
            survived += 1
            different = [name for name, bench in every.items() if bench.differs(code[name])]
        if different:
            yield f"the mutant {mutant.change} ({mutant.place}) passes all cases"
    console.print(
        f"\n{tried} mutants of the reference: {tried - survived} caught, {survived} pass all cases "
        "(findings below if any of those gives other results)"
    )


def _variant_problems(
    folder: Path, lesson: GradedLesson, diagnoser: Diagnoser, console: Console, brief: bool
) -> Iterator[str]:
    if not folder.is_dir():
        return
    with open_sandbox(accept_weak=True) as sandbox:  # our own files
        tried = list(try_variants(folder, lesson, sandbox, diagnoser))
    wrong = [one for one in tried if not one.right]
    named = sum(one.named for one in wrong)
    if not brief:
        for one in wrong:
            for function, marks in one.marks().items():
                console.print(f"  {marks}  {one.name}, {function}")
    console.print(f"{len(tried)} stored implementations: {len(wrong)} wrong, {named} of them named")
    for one in tried:
        if problem := one.problem():
            yield problem

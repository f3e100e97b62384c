"""One submission from start to finish: intake, sandbox, judge, questions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from hashlib import sha256

from challenges.verdict_tests import QUESTIONS
from grader.intake import Submission, shown, student_of, submission_id, take_in
from grader.judge import Diagnose, judge
from grader.lesson import GradedLesson
from grader.outcome import Load, Sandbox
from grader.printable import printable
from grader.provenance import result_key
from grader.verdict import Answers, Part, Result, Status, Verdict, total
from questions.personal import personal_questions
from questions.scoring import AnswersError, read_answers, score, taken

LONGEST_REASON = 10_000  # a traceback of ours, for staff
NOT_RUN = {"missing", "timeout", "memory", "blocked"}


def mark(
    path: str, lesson: GradedLesson, sandbox: Sandbox, diagnose: Diagnose | None = None
) -> Result:
    """The result of the submission at a path."""
    return mark_submission(taken_in(path, lesson), lesson, sandbox, diagnose)


def taken_in(path: str, lesson: GradedLesson) -> Submission:
    """The submission at a path, with the name of its student as the roster has it."""
    submission = take_in(path, lesson.hand_in, lesson.starters)
    student = lesson.students.get(submission.path, submission.student)
    return replace(submission, student=student)


def mark_submission(
    submission: Submission,
    lesson: GradedLesson,
    sandbox: Sandbox,
    diagnose: Diagnose | None = None,
) -> Result:
    """The result of a submission that was taken in."""
    began = time.perf_counter()
    verdicts: tuple[Verdict, ...] = ()
    notes = submission.notes
    answers: Answers = {}
    if not submission.refused:
        load, outcomes = sandbox.run(submission.cells, lesson.calls)
        by_name = {call.case: outcome for call, outcome in zip(lesson.calls, outcomes, strict=True)}
        verdicts = judge(lesson.cases, submission.cells, load, by_name, diagnose)
        notes += _load_notes(load)
    parts = _parts(lesson, verdicts)
    if lesson.graded:
        part, note, answers = _questions(submission, lesson)
        parts += (part,)
        notes += (note,)
    return Result(
        submission.path,
        submission.id,
        submission.student,
        _status(submission, verdicts),
        parts,
        verdicts,
        submission.refused,
        notes,
        {
            "submission": submission.digest,
            "answers": "" if submission.answers is None else sha256(submission.answers).hexdigest(),
            "key": result_key(submission, lesson, sandbox.tier),
            "tier": sandbox.tier,
            "seconds": round(time.perf_counter() - began, 4),
            "graded_at": datetime.now(UTC).isoformat(timespec="seconds"),
        },
        answers,
    )


def unmarked(path: str, lesson: GradedLesson, reason: str) -> Result:
    """The result of a submission on which the grader itself failed; its file is not touched."""
    name = shown(path)
    parts = tuple(replace(part, earned=None) for part in _parts(lesson, ()))
    student = lesson.students.get(name, student_of(name, lesson.hand_in))
    shown_reason = printable(reason)[:LONGEST_REASON]
    return Result(name, submission_id(name), student, "broken", parts, reason=shown_reason)


def part_names(lesson: GradedLesson) -> list[str]:
    """The parts of a mark, in the order of the columns of grades.csv."""
    return [c.id for c in lesson.challenges] + [QUESTIONS] * lesson.graded


def _status(submission: Submission, verdicts: Sequence[Verdict]) -> Status:
    kinds = {v.verdict for v in verdicts}
    if submission.refused:
        return "refused"
    if "broken" in kinds:
        return "broken"
    return "partial" if kinds & NOT_RUN else "graded"


def _parts(lesson: GradedLesson, verdicts: Sequence[Verdict]) -> tuple[Part, ...]:
    parts = []
    for challenge in lesson.challenges:
        own = [v for v in verdicts if v.challenge == challenge.id]
        earned = total(v.earned for v in own)
        broken = any(v.verdict == "broken" for v in own)
        parts.append(Part(challenge.id, None if broken else earned, Fraction(challenge.points)))
    return tuple(parts)


def _questions(submission: Submission, lesson: GradedLesson) -> tuple[Part, str, Answers]:
    """A point for each question answered right, a note that says how many, the answers."""
    possible = Fraction(len(lesson.questions))
    if submission.answers is None:
        return Part(QUESTIONS, Fraction(0), possible), "no answers.json was handed in", {}
    questions = lesson.questions
    if lesson.secret is not None:
        questions = tuple(
            personal_questions(questions, lesson.reference, submission.student, lesson.secret)
        )
    try:
        answers = read_answers(submission.answers)
    except AnswersError as error:
        return Part(QUESTIONS, Fraction(0), possible), str(error), {}
    scored = score(questions, answers)
    right = sum(1 for answer in scored.values() if answer)
    given = {
        loaded.question.id: (bool(scored[loaded.question.id]), taken(loaded, answer))
        for loaded in questions
        if (answer := answers.get(loaded.question.id)) is not None
    }
    note = f"{right} of {possible} questions are right"
    return Part(QUESTIONS, Fraction(right), possible), note, given


def _load_notes(load: Load) -> tuple[str, ...]:
    recovered = [name for name, state in load.functions.items() if state == "recovered"]
    notes = [f"{name} was lost again further down; it counts as it stood" for name in recovered]
    return (*load.notes, *notes)

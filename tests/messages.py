"""The exact words that students and staff read about the 60 stored variants.

`python -m tests.messages` writes them anew to `fixtures/messages.txt`: read the change before you
commit it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from challenges.load import LESSON_ROOT
from grader.diagnosis import Diagnoser
from grader.lesson import load_graded_lesson
from grader.marking import mark
from grader.sandbox import open_sandbox
from grader.verdict import Verdict, points_text

HERE = Path(__file__).parent
WORDS = HERE / "fixtures" / "messages.txt"
VARIANTS = HERE / "submissions" / "variants"


def messages() -> Iterator[str]:
    """A block for each variant: its points, what each failed case says, what is named."""
    lesson = load_graded_lesson(LESSON_ROOT)
    diagnoser = Diagnoser.of(lesson)
    with open_sandbox(accept_weak=True) as sandbox:
        for file in sorted(VARIANTS.glob("*/*.py")):
            result = mark(str(file), lesson, sandbox, diagnoser.diagnose)
            there = [v for v in result.verdicts if v.verdict != "missing"]
            yield "\n".join([f"=== {file.parent.name}/{file.stem}", *_lines(there)]) + "\n"


def _lines(verdicts: list[Verdict]) -> Iterator[str]:
    for function in dict.fromkeys(v.function for v in verdicts):
        own = [v for v in verdicts if v.function == function]
        earned = sum((v.earned for v in own), Fraction(0))
        possible = sum((v.points for v in own), Fraction(0))
        yield f"{function}: {points_text(earned)} of {points_text(possible)}"
        for v in own:
            if v.verdict != "pass" or v.message:
                yield f"  {v.visibility} {v.case}, {v.verdict}: {v.message}"
        for student, staff in dict.fromkeys((v.misconception, v.staff) for v in own):
            if student:
                yield f"  student: {student}"
                yield f"  staff: {staff}"


if __name__ == "__main__":
    WORDS.write_text("\n".join(messages()), "utf-8")

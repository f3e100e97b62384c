"""Questions for other systems."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from challenges.figures import FigureError, load_reference
from challenges.load import LESSON_ROOT, lesson_value
from challenges.source import ContentError
from questions.exports import FORMATS
from questions.item import ExportError, item
from questions.load import load_questions
from questions.personal import personal_questions
from questions.variants import SecretError, read_secret


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 done, 1 mistakes in the content, 2 wrong use."""
    options = _parser().parse_args(arguments)
    try:
        return _export(options)
    except Exception as error:
        if options.debug:
            raise
        print(_line(error), file=sys.stderr)
        return 1 if isinstance(error, ContentError) else 2


def _line(error: Exception) -> str:
    """What went wrong, in one line; the mistakes of a lesson are one line each."""
    if isinstance(error, ContentError):
        return str(error)
    text = str(error)
    if isinstance(error, ModuleNotFoundError):
        text = f"the package {error.name} is missing; `make` installs what the kit needs"
    elif isinstance(error, OSError):
        text = f"{error.filename or 'file'}: {error.strerror or error}"
    elif not isinstance(error, ExportError | SecretError | FigureError):
        text = f"{type(error).__name__}: {error} (--debug shows where)"
    return f"python -m questions: {text}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m questions", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    export = commands.add_parser(
        "export",
        help="write the questions for Canvas (qti), Moodle or jupyterquiz",
        description="Write the questions, right answers and replies included, for another system.",
    )
    export.add_argument("format", choices=FORMATS)
    export.add_argument(
        "--out", type=Path, metavar="FILE", help="the file to write (default: named by the format)"
    )
    export.add_argument(
        "--lesson", type=Path, default=LESSON_ROOT, metavar="DIR", help="default: the kit's"
    )
    export.add_argument(
        "--student", metavar="ID", help="this student's own variants (needs --secret)"
    )
    export.add_argument(
        "--secret", type=Path, metavar="FILE", help="the course secret, kept by staff"
    )
    export.add_argument("--debug", action="store_true", help="show the traceback of an error")
    return parser


def _export(options: argparse.Namespace) -> int:
    if bool(options.student) != bool(options.secret):
        raise SecretError("--student and --secret go together")
    secret = read_secret(options.secret) if options.secret else b""
    root: Path = options.lesson
    if not root.is_dir():
        raise ExportError(f"{root} is not a folder")
    reference = load_reference(root)
    questions, findings = load_questions(root, reference)
    if findings:
        raise ContentError(findings)
    if not questions:
        raise ExportError(f"{root / 'questions'} holds no questions")
    if secret:
        questions = personal_questions(questions, reference, options.student, secret)
    chosen = FORMATS[options.format]
    out: Path = options.out or Path(chosen.file_name)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(
        chosen.write(
            lesson_value(root, "title") or "Questions", [item(question) for question in questions]
        )
    )
    print(f"{len(questions)} questions: {out}")
    return 0

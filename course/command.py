"""The instructor's command line: check, build, serve. Exit 0 done, 1 findings, 2 wrong use."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from challenges.load import LESSON_ROOT
from challenges.source import ContentError
from course.autograder import AutograderError
from course.build import BuildError, build
from course.handout import student_files
from course.leaks import Leak, find_leaks
from course.lesson import Lesson, load_lesson
from course.secret import secrets_of
from questions.personal import personal_questions
from questions.variants import SecretError, read_secret


class UsageError(Exception):
    """The command was used wrongly; the text says how in one line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        return code
    except ContentError as error:
        if options.debug:
            raise
        return _content_findings(error)
    except (UsageError, BuildError, AutograderError, SecretError) as error:
        if options.debug:
            raise
        return _wrong(str(error))
    except OSError as error:
        if options.debug:
            raise
        return _wrong(f"{error.filename or 'file'}: {error.strerror or error}")
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if options.debug:
            raise
        return _wrong(f"{type(error).__name__}: {error} (--debug shows where)")


def _parser() -> argparse.ArgumentParser:
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--lesson", type=Path, default=LESSON_ROOT, metavar="DIR", help="folder of another lesson"
    )
    shared.add_argument("--debug", action="store_true", help="show the traceback of an error")
    shared.add_argument(
        "--python-runtime", default="", metavar="URL", help="where the page gets its Python from"
    )
    parser = argparse.ArgumentParser(prog="python -m course", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    check = commands.add_parser(
        "check", parents=[shared], help="validate all YAML; search the student files for secrets"
    )
    check.set_defaults(run=_check)
    made = commands.add_parser("build", parents=[shared], help="write the handouts")
    made.add_argument(
        "--out", type=Path, default=Path("build"), help="folder to write into; default: build"
    )
    made.add_argument("--student", metavar="ID", help="build this student's own variants")
    made.add_argument("--secret", type=Path, metavar="FILE", help="course secret that draws them")
    made.add_argument(
        "--no-autograder", action="store_true", help="leave autograder.zip as it is (quicker)"
    )
    made.set_defaults(run=_build)
    live = commands.add_parser("serve", parents=[shared], help="show the page, anew on each change")
    live.add_argument(
        "--port", type=_port, default=8000, help="port on this machine; default: 8000"
    )
    live.set_defaults(run=_serve)
    return parser


def _port(text: str) -> int:
    if not text.isdecimal() or not int(text) < 2**16:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return int(text)


def _lesson(options: argparse.Namespace) -> Lesson:
    lesson = load_lesson(_root(options))
    return lesson.with_python_runtime(options.python_runtime) if options.python_runtime else lesson


def _root(options: argparse.Namespace) -> Path:
    root: Path = options.lesson
    if not (root / "course").is_dir():
        what = "is not a folder" if not root.is_dir() else "holds no lesson: no course/ is in it"
        raise UsageError(f"{root} {what}")
    return root


def _check(options: argparse.Namespace) -> int:
    lesson = _lesson(options)
    leaks = find_leaks(student_files(lesson), secrets_of(lesson))
    if leaks:
        return _leaks(leaks)
    counts = {
        "section": len(lesson.sections),
        "question": len(lesson.questions),
        "challenge": len(lesson.challenges),
        "case": sum(len(item.challenge.cases) for item in lesson.challenges),
    }
    counted = ", ".join(_count(number, what) for what, number in counts.items())
    print(f"{lesson.settings.title}: {counted}. No findings; no secret is in the student files.")
    return 0


def _build(options: argparse.Namespace) -> int:
    lesson = _personal(_lesson(options), options)
    zipped = not (options.no_autograder or options.student)  # the zip is nobody's own
    built = build(lesson, options.out, autograder=zipped)
    if built.leaks:
        return _leaks(built.leaks)
    for name, what in built.made.items():
        print(f"{options.out / name}  {what}")
    return 0


def _personal(lesson: Lesson, options: argparse.Namespace) -> Lesson:
    """The lesson with a student's own variants of its questions, if they are asked for."""
    if bool(options.student) != bool(options.secret):
        raise UsageError("--student and --secret go together")
    if not options.student:
        return lesson
    secret = read_secret(options.secret)
    own = personal_questions(lesson.questions, lesson.reference, options.student, secret)
    return replace(lesson, questions=own)


def _serve(options: argparse.Namespace) -> int:
    from course.serve import serve  # noqa: PLC0415  (watching needs more packages than building)

    _root(options)
    try:
        return serve(options.lesson, options.port, options.python_runtime)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise UsageError(f"port {options.port} is taken; give another --port") from error
        raise


def _content_findings(error: ContentError) -> int:
    for finding in error.findings:
        print(_shorter(str(finding)), file=sys.stderr)
    print(_count(len(error.findings), "finding"), file=sys.stderr)
    return 1


def _shorter(text: str) -> str:
    """The finding with its path as seen from here."""
    here = f"{os.getcwd()}{os.sep}"  # noqa: PTH109
    return text.removeprefix(here)


def _leaks(leaks: list[Leak]) -> int:
    for leak in leaks:
        print(f"student/{leak}", file=sys.stderr)
    print(f"{_count(len(leaks), 'secret')}: nothing was written", file=sys.stderr)
    return 1


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _wrong(text: str) -> int:
    print(f"python -m course: {' '.join(text.split())}", file=sys.stderr)
    return 2

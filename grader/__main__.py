"""`python -m grader`: the grader's commands. Exit codes: 0 done, 1 findings, 2 wrong use."""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036
    version = ".".join(map(str, sys.version_info[:2]))
    sys.stderr.write(f"python -m grader: Python 3.11 or newer is needed; this is {version}\n")
    sys.exit(2)

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: workers are the parallelism
# What is loaded stays: looking through it every 700 objects is for nothing.
gc.set_threshold(50_000)

COMMANDS = {
    "grade": "grader.grade",
    "intake": "grader.intake_report",
    "summary": "grader.summary",
    "diff": "grader.diff",
    "verify": "grader.verify",
    "scale": "grader.scale",
    "doctor": "grader.doctor",
    "bench": "grader.bench.command",
    "audit": "grader.audit.command",
    "export": "grader.exports.command",
    "report": "grader.report.command",
}
"""A command's module has `add_parser(subparsers)`, which sets `run`, a function of the options."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command; whatever goes wrong is one line, unless --debug is given."""
    words = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]
    try:
        return int(_options(words))
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output has gone, as in `… | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if debug:
            raise
        print(f"python -m grader: {_line(error)}", file=sys.stderr)
        return 2


def _options(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m grader", description=__doc__)
    parser.add_argument("--debug", action="store_true", help="show tracebacks")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    named = [word for word in words[:1] if word in COMMANDS]
    for name in named or COMMANDS:  # importing only what is asked for saves start-up
        importlib.import_module(COMMANDS[name]).add_parser(subparsers)
    options = parser.parse_args(words)
    return int(options.run(options))


def _line(error: Exception) -> str:
    """One line for the user; the mistakes of a lesson are one line each."""
    expected = (
        "UsageError",
        "GradebookError",
        "BatchError",
        "SecretError",
        "ContentError",
        "RosterError",
        "ExportError",
    )
    if isinstance(error, ModuleNotFoundError):
        return f"the package {error.name} is missing; `make` installs what the kit needs"
    if type(error).__name__ in expected:
        return str(error)
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return f"{type(error).__name__}: {error} (--debug shows where)"


if __name__ == "__main__":
    sys.exit(main())

"""Where a result comes from: versions of all that made it, hashes of all that it depends on.

What a run's results have in common is recorded once a run; `result_key` sums up all of it and the
submission, so that two results with equal keys must be equal.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import platform
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from grader.intake import Submission
from grader.lesson import GradedCase, GradedLesson

KIT = Path(__file__).resolve().parent.parent
CODE = ("grader", "challenges", "questions")
LOCK = "requirements.lock"
BASIS = ("kit", "code", "versions", "hashes")
"""What of a run decides its results."""
ASKED = ("function", "points", "inputs", "seed", "repeat", "expect", "only_with")
"""The keys of a case on which its verdict depends; the others are words."""


@cache
def kit_facts() -> Mapping[str, Any]:
    """The kit and what it runs on: equal on every machine that grades the same run."""
    return {
        "kit": kit_version(),
        "commit": kit_commit(),
        "code": code_hash(),
        "versions": {
            "python": platform.python_version(),
            "numpy": version("numpy"),
            "otter": version("otter-grader"),
            "machine": f"{platform.system()} {platform.machine()}",
        },
    }


def kit_version() -> str:
    """The version of this kit."""
    try:
        return version("attention-kit")
    except PackageNotFoundError:
        return "unpacked"


def kit_commit() -> str:
    """The commit of the kit's own checkout, `-dirty` if files differ from it; empty if none."""
    if not (KIT / ".git").exists() or shutil.which("git") is None:
        return ""
    describe = ["git", "-C", str(KIT), "describe", "--always", "--dirty", "--abbrev=40"]
    done = subprocess.run([*describe, "--exclude=*"], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def code_hash() -> str:
    """A hash of all code that marks are made by."""
    files = [
        file
        for room in CODE
        for file in (KIT / room).rglob("*")
        if file.suffix in {".py", ".jinja"} and file.name != "starter.py"
    ]
    total = hashlib.sha256()
    for file in sorted(files):
        total.update(f"{file.relative_to(KIT).as_posix()}\0".encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def case_facts(case: GradedCase) -> dict[str, Any]:
    """Seed and hashes of a case: for staff only, since a seed or a hash could be tried out.

    `asked` covers what the author wrote, `expected` what the reference made of it; `partner` is
    the case on which its points depend.
    """
    prepared, challenge = case.prepared, case.challenge
    asked = prepared.case.model_dump(include=set(ASKED))
    declared = prepared.function.model_dump(include={"name", "parameters", "returns"})
    around = challenge.model_dump(include={"tolerance", "limits"})
    made = hashlib.sha256()
    for value in (*prepared.arguments, *prepared.expected):
        if isinstance(value, bool | int | float):
            made.update(repr(value).encode())
        else:
            made.update(f"{value.dtype.str}{value.shape}".encode() + value.tobytes())
    partner = prepared.case.only_with
    return {
        "seed": prepared.case.seed,
        "asked": _sha256(_canonical([asked, declared, around])),
        "expected": made.hexdigest(),
        "partner": f"{challenge.id}/{partner}" if partner else None,
    }


def result_key(submission: Submission, lesson: GradedLesson, tier: str) -> str:
    """Sums up all that a result depends on; a submission counts as intake left it, not its path."""
    kit = {name: value for name, value in kit_facts().items() if name != "commit"}
    answers, secret = submission.answers, lesson.secret
    student = submission.student.encode("utf-8", "backslashreplace")
    parts = [
        kit,
        lesson.hashes,
        [lesson.hand_in, lesson.graded, tier],
        [submission.refused, submission.notes],
        [(cell.name, _sha256(cell.source)) for cell in submission.cells],
        None if answers is None else _sha256(answers),
        # With a secret, the right answers are the student's own.
        None if secret is None else hmac.digest(secret, student, "sha256").hex(),
    ]
    return _sha256(_canonical(parts))


def same_basis(run: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether results of one run could stand in another: same code, content and versions."""
    return all(run[name] == other.get(name) for name in BASIS)


def full_provenance(run: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """A result's provenance with what its run has in common, as its student may see it."""
    shared = ("kit", "commit", "code", "hashes", "versions", "limits", "lock")
    return {**{key: run[key] for key in shared}, **own}


def lock_hash() -> str:
    """A hash of the kit's lock file; empty where it has none."""
    return _sha256((KIT / LOCK).read_bytes()) if (KIT / LOCK).is_file() else ""


def export_lock(folder: Path) -> None:
    """Put the lock file beside the run's results."""
    if (KIT / LOCK).is_file():
        shutil.copyfile(KIT / LOCK, folder / LOCK)


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, default=str).encode()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()

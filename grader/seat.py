"""What a Dask worker does for a run on several machines: take a seat, mark batches, leave.

A seat is the lesson, unpacked from bytes, and a sandbox with a fork server of its own. What
comes from the process that started the run is trusted; what goes back is plain data as JSON.
"""

from __future__ import annotations

import io
import json
import pickle
import shutil
import tempfile
import threading
import traceback
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader.diagnosis import Diagnoser
from grader.entry import EntryMaker, to_json
from grader.intake import Submission
from grader.lesson import GradedLesson, load_graded_lesson
from grader.marking import mark_submission
from grader.provenance import kit_facts
from grader.quiet import QuietRoom
from grader.sandbox import open_sandbox

CONTENT = (
    "course/lesson.yaml",
    "course/sections/*.yaml",
    *(f"{room}/**/*" for room in ("challenges", "questions", "reference")),
)
SUFFIXES = {".yaml", ".py"}


@dataclass(frozen=True)
class Order:
    """What a worker needs to know of a run."""

    run: str
    content: bytes
    secret: bytes | None
    facts: dict[str, Any]
    accept_weak: bool


class Seat:
    """One run's lesson and sandbox in this worker process."""

    def __init__(self, order: Order) -> None:
        self.run = order.run
        # Nothing secret stays on the worker's disk.
        with tempfile.TemporaryDirectory(prefix="grader-lesson-") as folder:
            with zipfile.ZipFile(io.BytesIO(order.content)) as content:
                content.extractall(folder)
            lesson = load_graded_lesson(Path(folder))
            self.lesson = replace(lesson, secret=order.secret)
            self._diagnose = Diagnoser.of(self.lesson).diagnose
        self._maker = EntryMaker(order.facts)
        # The workers of a run on one machine share a room, so that one of them can have quiet.
        _room(order.run).mkdir(mode=0o700, exist_ok=True)
        self._room = QuietRoom(_room(order.run))
        self.sandbox = open_sandbox(accept_weak=order.accept_weak, quiet=self._room.alone)

    def mark(self, submissions: Sequence[Submission]) -> bytes:
        """The entries as JSON."""
        entries = []
        for submission in submissions:
            with self._room.working():
                result = mark_submission(submission, self.lesson, self.sandbox, self._diagnose)
                entries.append(self._maker.entry(result))
        return to_json(entries)

    def close(self) -> None:
        """Stop the fork server."""
        self.sandbox.close()
        self._room.close()


_seat: Seat | None = None
_alone = threading.Lock()  # a worker with several threads still marks one at a time


def take(data: bytes) -> bytes:
    """Take the seat of a run, given its Order; says who this worker is, or why it cannot."""
    global _seat  # noqa: PLW0603 - one a process
    with _alone:
        if _seat is not None:
            _seat.close()
            _seat = None
        try:
            _seat = Seat(pickle.loads(data))
        except Exception as error:
            return _said(refused=f"{type(error).__name__}: {error}")
        return _said(facts=identity(_seat.lesson, _seat.sandbox.tier))


def mark(run: str, data: bytes) -> bytes:
    """The entries of a batch of submissions; nothing if this worker has no seat in the run."""
    with _alone:
        if _seat is None or _seat.run != run:
            return b""
        try:
            return _seat.mark(pickle.loads(data))
        except Exception as error:
            where = "".join(traceback.format_tb(error.__traceback__))
            return _said(failed=f"{error!r} {where}")


def leave(run: str) -> None:
    """Give the seat up."""
    global _seat  # noqa: PLW0603
    with _alone:
        if _seat is not None and _seat.run == run:
            _seat.close()
            _seat = None
        shutil.rmtree(_room(run), ignore_errors=True)


def _room(run: str) -> Path:
    return Path(tempfile.gettempdir()) / f"grader-{run}"


def identity(lesson: GradedLesson, tier: str) -> dict[str, str]:
    """What must be the same on every machine of a run, in words."""
    facts = kit_facts()
    return {
        "kit": facts["kit"],
        "grader code": facts["code"][:12],
        **facts["versions"],
        "isolation tier": tier,
        **{f"lesson's {name}": digest[:12] for name, digest in lesson.hashes.items()},
    }


def pack(root: Path) -> bytes:
    """The content of a lesson that graders read, as a zip."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted({file for pattern in CONTENT for file in root.glob(pattern)}):
            if file.suffix in SUFFIXES and file.is_file():
                archive.write(file, file.relative_to(root))
    return packed.getvalue()


def _said(**words: Mapping[str, str] | str) -> bytes:
    return json.dumps(words).encode()


def heard(data: bytes) -> dict[str, Any]:
    """What a worker said."""
    said = json.loads(data)
    return said if isinstance(said, dict) else {}

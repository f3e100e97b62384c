"""How students are called in the report: by name, or by a pseudonym that tells nothing.

A pseudonym is a keyed hash of who handed in. The key lies beside the results and never in the
report: with it the pseudonyms are the same in every report, without it no list of a class helps to
undo them.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from grader.report.reading import Person

KEY = "pseudonyms.key"
LENGTH = 8  # letters, 40 bits: two students of 100,000 share one in 1 report of 200
OUR_WORDS = re.compile(
    r"(the (file|notebook|notebook's|zip|folder) (?!is for )|it (is|cannot) |by its contents |"
    r"line \d|there (is|are) |no Python file)"
)
"""How a refusal begins that does not quote the hand-in before its first bracket or colon."""


@dataclass(frozen=True)
class Naming:
    """Names of students for one report; `key` is None where they are shown as they are.

    Where several submissions have a name, their paths tell them apart.
    """

    key: bytes | None = None
    ambiguous: frozenset[str] = frozenset()

    @classmethod
    def of(cls, people: Iterable[Person], key: bytes | None = None) -> Self:
        """For these students."""
        counts = Counter(person.student for person in people)
        return cls(key, frozenset(name for name, count in counts.items() if count > 1))

    @property
    def anonymous(self) -> bool:
        """Whether nobody may be recognised."""
        return self.key is not None

    def name(self, person: Person) -> str:
        """What a student is called."""
        alone = person.student and person.student not in self.ambiguous
        if self.key is not None:
            return pseudonym(self.key, person.student if alone else person.path)
        return person.student if alone else f"{person.student} ({person.path})".strip()

    def reason(self, reason: str) -> str:
        """Why nothing was graded, without what it quotes of the hand-in if nobody may be known."""
        if self.key is None or not reason:
            return reason
        plain = re.split(r"[(:]", reason, maxsplit=1)[0].strip()
        return plain if OUR_WORDS.match(plain) else "the reason quotes the hand-in; left out here"


def pseudonym(key: bytes, student: str) -> str:
    """`student-7kqf-2m9x`: the same for the same key and student."""
    digest = hmac.digest(key, student.encode("utf-8", "backslashreplace"), hashlib.sha256)
    letters = base64.b32encode(digest).decode("ascii").lower()[:LENGTH]
    return f"student-{letters[:4]}-{letters[4:]}"


def read_key(folders: Sequence[Path]) -> bytes:
    """The key that lies in the first of these folders that has one; a new one in the first."""
    for folder in folders:
        with suppress(FileNotFoundError):
            return (folder / KEY).read_bytes()
    key = secrets.token_bytes(32)
    file = os.open(folders[0] / KEY, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "wb") as stream:
        stream.write(key)
    return key

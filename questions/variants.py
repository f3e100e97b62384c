"""Variants: a question's parameters take other values for each student.

The values are drawn from the student's id and a secret of the course, so that staff can draw them
again whenever an answer is scored; neither the secret nor the other values are in a student's page.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from questions.model import Question

MOST_VARIANTS = 500
LEAST_SECRET = 16


class SecretError(ValueError):
    """The course secret cannot be used; the text says why."""


def read_secret(file: Path) -> bytes:
    """The course secret: what `file` holds, spaces at both ends left out; raises SecretError."""
    try:
        secret = file.read_bytes().strip()
    except OSError as error:
        raise SecretError(f"{file} cannot be read: {error.strerror or error}") from error
    if len(secret) < LEAST_SECRET:
        raise SecretError(
            f"{file} holds {len(secret)} characters; a course secret has at least {LEAST_SECRET} "
            '(for instance from: python -c "import secrets; print(secrets.token_hex())")'
        )
    return secret


def plain_variant(question: Question) -> dict[str, Any]:
    """Everybody's values while no secret is given: the first of each parameter."""
    return {name: values[0] for name, values in question.variants.items()}


def draw_variant(question: Question, student: str, secret: bytes) -> dict[str, Any]:
    """The student's own values: the same for the same question, student and secret."""
    return {
        name: values[_draw(secret, len(values), question.id, name, student)]
        for name, values in question.variants.items()
    }


def count_variants(question: Question) -> int:
    """How many different variants the question has."""
    return math.prod(len(values) for values in question.variants.values())


def all_variants(question: Question) -> Iterator[dict[str, Any]]:
    """Every combination of values."""
    for values in itertools.product(*question.variants.values()):
        yield dict(zip(question.variants, values, strict=True))


def _draw(secret: bytes, count: int, *what: str) -> int:
    """A number below `count`, evenly spread (a digest of 256 bits) and hidden by the secret."""
    message = "\0".join(what).encode()
    return int.from_bytes(hmac.digest(secret, message, hashlib.sha256), "big") % count

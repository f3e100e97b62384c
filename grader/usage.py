"""What is wrong with how a command was used."""

from __future__ import annotations

import argparse


class UsageError(Exception):
    """A wrong use, or a machine that cannot do what is asked; one line for the user."""


def positive(text: str) -> int:
    """The whole number, at least 1, that an option is given."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return int(text)

"""Submissions to the tiny lesson of tests/fixtures, made up as many as are wanted."""

from __future__ import annotations

from pathlib import Path

TINY = Path(__file__).parent / "fixtures" / "tiny"
RIGHT = """\
import numpy as np

def moving_average(values, width):
    return np.convolve(values, np.ones(width) / width, "valid")

def running_range(values, width):
    rows = np.lib.stride_tricks.sliding_window_view(values, width)
    return rows.min(axis=-1), rows.max(axis=-1)
"""
KINDS = {
    "right": RIGHT,
    "one-short": RIGHT.replace('"valid")', '"valid")[:-1]'),
    "from-zero": RIGHT.replace("rows.max(axis=-1)", "rows.max(axis=-1, initial=0.0)"),
    "raises": RIGHT.replace("    return np.conv", "    raise ValueError\n    return np.conv"),
    "half": RIGHT.partition("def running_range")[0],
    "not-python": "def moving_average(values, width) return 1\n",
    "empty": "",
}
SCORES = {
    "right": "10",
    "one-short": "5",
    "from-zero": "6",
    "raises": "5",
    "half": "5",
    "not-python": "0",
    "empty": "0",
}


def write_class(folder: Path, count: int) -> Path:
    """A class folder of so many submissions, of all kinds in turn."""
    folder.mkdir(parents=True)
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        (folder / f"{number:04d} {kind}.py").write_text(KINDS[kind])
    return folder

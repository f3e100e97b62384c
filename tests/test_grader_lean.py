"""A part of a package without its start; the package itself is as ever for whoever wants it."""

import subprocess
import sys

import pytest

from grader.lean import without_start

SCRIPT = """
import sys
from grader.harness import ExceptionTestFile
assert "otter" not in sys.modules, "the stand-in for the package is left behind"
assert "nbconvert" not in sys.modules and "pandas" not in sys.modules, "otter has been started"
import otter
assert callable(otter.Notebook)
from otter.test_files.exception_test import ExceptionTestFile as same
assert same is ExceptionTestFile
"""


def test_the_harness_does_not_start_otter_and_does_it_no_harm() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_package_that_is_not_there_is_missed_by_the_import() -> None:
    with pytest.raises(ModuleNotFoundError, match="nowhere"), without_start("nowhere"):
        import nowhere.inside  # type: ignore[import-not-found]  # noqa: F401, PLC0415

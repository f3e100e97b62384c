"""Fixtures that several test files share."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser

from challenges.load import LESSON_ROOT
from course.lesson import load_lesson
from course.page import render_page
from grader.sandbox import ForkSandbox, open_sandbox
from grader.sandbox.forkserver import ServerError
from grader.sandbox.jail import Tier
from tests.browser import chromium, make_runtime, served

# A busy machine is slow, not wrong.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.fixture(scope="session", params=["A", "B"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[ForkSandbox]:
    """A sandbox of each tier that locks student code."""
    tier: Tier = request.param
    try:
        opened = open_sandbox(tier=tier)
    except ServerError as error:
        pytest.skip(f"tier {tier} cannot be had here: {error}")
    with opened:
        yield opened


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium; tests that use it carry the marker `browser`."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def lesson_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the lesson's page as a file."""
    file = tmp_path_factory.mktemp("page") / "index.html"
    file.write_text(render_page(load_lesson(LESSON_ROOT)), "utf-8")
    return file.as_uri()


@pytest.fixture(scope="session")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Python runtime on this machine, with the stand-in for NumPy."""
    with served(make_runtime(tmp_path_factory.mktemp("pyodide"))) as address:
        yield address


@pytest.fixture(scope="session")
def python_page(tmp_path_factory: pytest.TempPathFactory, runtime: str) -> str:
    """The lesson's page, as a file, that gets its Python from `runtime`."""
    lesson = load_lesson(LESSON_ROOT).with_python_runtime(runtime)
    file = tmp_path_factory.mktemp("python-page") / "index.html"
    file.write_text(render_page(lesson), "utf-8")
    return file.as_uri()

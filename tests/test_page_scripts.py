"""The page's scripts: linted, type-checked, bundled, and whole without Node too."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from challenges.load import LESSON_ROOT
from course import npm, scripts
from course.lesson import load_lesson
from course.page import render_page
from tests.browser import ROOT, Watched, node, npm_package

TINY = ROOT / "tests" / "fixtures" / "tiny"


@pytest.mark.browser
@pytest.mark.parametrize("script", ["lint", "types"])
def test_scripts_are_clean(script: str) -> None:
    npm_package("eslint")
    status, output, errors = npm.run(node(), "npm", "run", "--silent", script)
    assert status == 0, output + errors


def test_a_lesson_gets_only_the_scripts_that_it_needs() -> None:
    html = scripts.page_scripts(load_lesson(TINY))
    assert "Block future tokens" not in html
    assert "python-worker" in html


@pytest.mark.browser
def test_another_lesson_works_too(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "index.html"
    file.write_text(render_page(load_lesson(TINY)), "utf-8")
    with browser.new_context() as context:
        page = context.new_page()
        watched = Watched(page)
        page.goto(file.as_uri())
        page.keyboard.press("ArrowRight")
        expect(page.locator(".progress-text")).to_contain_text("Section 2 of")
        expect(page.locator(".explorer-static table").first).to_be_attached()
        assert watched.errors == []
        assert watched.outside == []


def test_the_page_stays_a_few_hundred_kilobytes() -> None:
    assert len(render_page(load_lesson(LESSON_ROOT)).encode("utf-8")) < 700_000


@pytest.fixture
def without_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has no Node, nor the package that carries it."""
    monkeypatch.setattr(npm, "node_folder", lambda: None)
    scripts._program.cache_clear()


@pytest.mark.browser
@pytest.mark.usefixtures("without_node")
def test_without_node_the_page_is_whole_and_the_build_says_so(
    browser: Browser, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "index.html"
    file.write_text(render_page(load_lesson(LESSON_ROOT)), "utf-8")
    scripts._program.cache_clear()
    assert "There is no Node here" in caplog.text
    with browser.new_context() as context:
        page = context.new_page()
        watched = Watched(page)
        page.goto(f"{file.as_uri()}#explorer")
        page.get_by_label("Block future tokens").check()
        expect(page.locator(".explorer .heat td").nth(2)).to_have_text("0.0000")
        page.goto(f"{file.as_uri()}#build-it")
        field = page.get_by_label("Your code for challenge 1")
        field.focus()
        page.keyboard.press("Control+Home")
        page.keyboard.press("Tab")
        assert field.input_value().startswith("    import numpy")
        page.keyboard.press("Shift+Tab")
        assert field.input_value().startswith("import numpy")
        page.keyboard.press("Escape")
        page.keyboard.press("Tab")
        expect(field).not_to_be_focused()
        expect(page.locator("#challenge-scores").get_by_role("button", name="Run")).to_be_focused()
        assert watched.errors == []
        assert watched.outside == []

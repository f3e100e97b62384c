"""A newcomer works through the page by keyboard alone; the grader marks what comes out."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from challenges.load import LESSON_ROOT
from course.lesson import load_lesson
from questions.model import Number, SeveralChoices
from tests.browser import ROOT, Watched

pytestmark = [pytest.mark.browser, pytest.mark.campaign]
LESSON = load_lesson(LESSON_ROOT)

CODE = {
    "scores": """\
import numpy as np


def attention_scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[1])


def attention_weights(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
""",
    "masking": """\
import numpy as np


def causal_mask(scores):
    later = np.triu(np.ones(scores.shape, dtype=bool), k=1)
    return np.where(later, -np.inf, scores)


def masked_attention(Q, K, V):
    weights = attention_weights(causal_mask(attention_scores(Q, K)))
    return weights @ V, weights
""",
    "multihead": """\
import numpy as np


def multi_head_attention(
    X, W_q, b_q, W_k, b_k, W_v, b_v, W_o, b_o, num_heads, causal=False
):
    Q, K, V = X @ W_q.T + b_q, X @ W_k.T + b_k, X @ W_v.T + b_v
    width = X.shape[1] // num_heads
    results = []
    for head in range(num_heads):
        block = slice(head * width, (head + 1) * width)
        scores = attention_scores(Q[:, block], K[:, block])
        if causal:
            scores = causal_mask(scores)
        results.append(attention_weights(scores) @ V[:, block])
    return np.concatenate(results, axis=1) @ W_o.T + b_o
""",
}


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until what has the focus is what `selector` names."""
    for _ in range(120):
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        if page.evaluate("document.activeElement.closest('.cm-content') !== null"):
            page.keyboard.press("Escape")
        page.keyboard.press("Tab")
    pytest.fail(f"Tab never comes to {selector}")


def walk_to(page: Page, section: str) -> None:
    """Leave what has the focus and go on to a later section with the arrow key."""
    tab_to(page, ".next, .previous:not([hidden])")
    for _ in LESSON.sections:
        if page.locator(f"#{section}").get_attribute("hidden") is None:
            return
        page.keyboard.press("ArrowRight")
    expect(page.locator(f"#{section} h2")).to_be_focused()


def answer(page: Page, identifier: str) -> None:
    """Answer one question rightly."""
    loaded = LESSON.question(identifier)
    question, form = loaded.question, f"#question-{identifier}"
    if isinstance(question, Number):
        tab_to(page, f"{form} input")
        page.keyboard.type(f"{loaded.numbers[('answer',)]:.4f}")
    elif isinstance(question, SeveralChoices):
        for index, choice in enumerate(question.choices):
            tab_to(page, f"{form} input[value='{index}']")
            if choice.right:
                page.keyboard.press("Space")
    else:
        right = next(i for i, choice in enumerate(question.choices) if choice.right)
        tab_to(page, f"{form} input[value='0']")
        page.keyboard.press("Space")
        for _ in range(right):
            page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(f"{form} .verdict")).to_have_text("That is right.")


def test_by_keyboard_alone_to_full_marks(
    browser: Browser, python_page: str, tmp_path: Path
) -> None:
    with browser.new_context(accept_downloads=True) as context:
        page = context.new_page()
        watched = Watched(page)
        page.goto(python_page)
        walk_to(page, "heads")
        tab_to(page, "#heads a.explorer-link")
        page.keyboard.press("Enter")
        shares = page.locator(".explorer .head .heat tbody tr:first-child td")
        expect(shares).to_have_text(["0.4011", "0.1978", "0.4011", "0.3333", "0.3333", "0.3333"])
        expect(page.locator(".explorer .output tbody tr").first.locator("td")).to_have_text(
            ["0.8022", "0.1978", "0.0000", "0.0000"]
        )
        walk_to(page, "heads")
        for loaded in LESSON.questions[:5]:
            answer(page, loaded.question.id)
        walk_to(page, "transformer")
        for loaded in LESSON.questions[5:]:
            answer(page, loaded.question.id)
        expect(page.locator(".quiz-progress-text")).to_have_text(["5 of 5 answered rightly"] * 2)

        walk_to(page, "build-it")
        assert watched.outside == []
        for challenge, code in CODE.items():
            block = f"#challenge-{challenge}"
            tab_to(page, f"{block} .cm-content")
            page.keyboard.press("Control+a")
            page.wait_for_function("getSelection().toString().includes('raise')")
            page.keyboard.insert_text(code)
            expect(page.locator(f"#code-{challenge}")).to_have_value(code)
            tab_to(page, f"{block} .editor-controls button:nth-of-type(2)")
            page.keyboard.press("Enter")
            status = page.locator(f"{block} .run-status")
            expect(status).to_contain_text("public checks pass", timeout=60_000)
            count = page.locator(f"{block} .checks > li").count()
            assert status.inner_text() == f"{count} of {count} public checks pass."
        tab_to(page, ".hand-in button")
        with page.expect_download() as download:
            page.keyboard.press("Enter")
        file = tmp_path / "attention.py"
        download.value.save_as(file)
        assert watched.errors == []

    results = tmp_path / "results"
    subprocess.run(
        [sys.executable, "-m", "grader", "grade", file, "--out", results], cwd=ROOT, check=True
    )
    with (results / "grades.csv").open(newline="", encoding="utf-8") as table:
        (row,) = csv.DictReader(table)
    assert (row["status"], row["score"], row["possible"]) == ("graded", "100", "100")

"""Python in the page: run, stop, check, output, errors, what is kept and handed in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from otter.test_files.exception_test import ExceptionTestFile
from playwright.sync_api import Browser, Page, expect

from challenges.load import LESSON_ROOT
from course.lesson import load_lesson
from course.page import render_page
from course.public_tests import public_tests
from tests.browser import Watched, make_runtime, served

pytestmark = pytest.mark.browser
FIRST = 60_000  # the first run loads Python


@pytest.fixture(scope="module")
def page(browser: Browser, python_page: str) -> Iterator[Page]:
    """One page for all tests: loading Python takes seconds."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{python_page}#build-it")
        yield page


def write(page: Page, challenge: str, code: str) -> None:
    """Put code into a challenge's editor as typing or pasting does."""
    page.locator(f"#challenge-{challenge} .cm-content").fill(code)


def press(page: Page, challenge: str, button: str) -> None:
    page.locator(f"#challenge-{challenge}").get_by_role("button", name=button, exact=True).click()


def status(page: Page, challenge: str = "scores") -> str:
    return page.locator(f"#challenge-{challenge} .run-status").inner_text()


def run(page: Page, code: str, challenge: str = "scores", button: str = "Run") -> str:
    """Run code to its end; the printed text."""
    write(page, challenge, code)
    press(page, challenge, button)
    block = page.locator(f"#challenge-{challenge}")
    expect(block.get_by_role("button", name="Run", exact=True)).to_have_attribute(
        "aria-disabled", "false", timeout=FIRST
    )
    printed = block.locator(".printed")
    return printed.inner_text() if printed.is_visible() else ""


def test_output_and_errors_look_as_python_shows_them(page: Page) -> None:
    watched = Watched(page)
    assert watched.outside == []
    assert run(page, "print('one', 2)\nprint('no newline', end='')") == "one 2\nno newline"
    assert status(page) == "Finished."
    shown = run(page, "def f(x):\n    return 1 / x\n\nf(0)\n")
    assert shown == (
        "Traceback (most recent call last):\n"
        '  File "scores.py", line 4, in <module>\n'
        "    f(0)\n"
        "    ~^^^\n"
        '  File "scores.py", line 2, in f\n'
        "    return 1 / x\n"
        "           ~~^~~\n"
        "ZeroDivisionError: division by zero\n"
    )
    shown = run(page, "def f(:\n    pass\n")
    assert shown.startswith('  File "scores.py", line 1\n    def f(:\n')
    assert "SyntaxError" in shown
    assert watched.errors == []


BEGINNERS = {
    "import numpy as np\nnp.ones((3, 4)) @ np.ones((3, 4))": "Print both shapes",
    "import numpy as np\nnp.ones((3, 4)) + np.ones((3, 3))": "keepdims=True",
    "scores = 1\nprint(score)": "a slip of the pen",
    "import numpy as np\na = np.array([1, 2])\na /= 2.0": "cannot hold a share",
    "import numpy as np\na = np.array([1, 2])\na[0] = -np.inf": "cannot hold −∞",
    "import numpy as np\na = np.array([-np.inf])\nprint(a - a)": "−∞ was taken from −∞",
    "input('name? ')": "nobody can",
}


def test_beginners_errors_get_a_plain_sentence(page: Page) -> None:
    for code, sentence in BEGINNERS.items():
        run(page, code)
        expect(page.locator("#challenge-scores .plain-words")).to_contain_text(sentence)


def test_an_endless_loop_is_stopped_and_python_starts_anew(page: Page) -> None:
    write(page, "scores", "print('before')\nwhile True:\n    pass\n")
    press(page, "scores", "Run")
    expect(page.locator("#challenge-scores .printed")).to_have_text("before\n", timeout=FIRST)
    other = page.locator("#challenge-masking").get_by_role("button", name="Run", exact=True)
    other.click(force=True)  # it is switched off while the first one runs
    assert status(page, "masking") == ""
    press(page, "scores", "Stop")
    assert status(page) == "Stopped. The next Run starts Python anew."
    assert run(page, "print(1 + 1)") == "2\n"


def test_a_flood_of_output_leaves_the_page_usable(page: Page) -> None:
    write(page, "scores", "while True:\n    print('x' * 50)\n")
    press(page, "scores", "Run")
    printed = page.locator("#challenge-scores .printed")
    expect(printed).to_contain_text("The rest of the output is not shown.", timeout=FIRST)
    assert len(printed.inner_text()) < 110_000
    press(page, "scores", "Stop")
    assert status(page).startswith("Stopped.")


def test_check_gives_the_words_of_the_students_tests(page: Page) -> None:
    wrong = (
        "import numpy as np\n\n"
        "def attention_scores(Q, K):\n    return Q @ K.T\n\n"
        "def attention_weights(scores):\n    return scores.tolist()\n"
    )
    run(page, wrong, button="Check")
    checks = page.locator("#challenge-scores .checks > li")
    assert checks.count() >= 2
    text = page.locator("#challenge-scores .checks").inner_text()
    assert "entries differ. The worst is at row" in text
    assert "a numpy.ndarray is asked for; a list came back." in text
    assert status(page).startswith("0 of ")


def test_the_words_are_those_of_otter(page: Page, tmp_path: Path) -> None:
    """Otter runs the same test file in this Python, with the real NumPy, to the same words."""
    wrong = (
        "import numpy as np\n\n"
        "def causal_mask(scores):\n    scores[0, 1] = -np.inf\n    return scores\n\n"
        "def masked_attention(Q, K, V):\n    return V\n"
    )
    run(page, wrong, challenge="masking", button="Check")
    shown = page.locator("#challenge-masking .check-message").all_inner_texts()
    lesson = load_lesson(LESSON_ROOT)
    file = tmp_path / "masking.py"
    file.write_text(public_tests(lesson.challenge("masking"), lesson.reference), "utf-8")
    environment: dict[str, object] = {}
    exec(wrong, environment)
    tests = ExceptionTestFile.from_file(str(file))
    tests.run(environment)
    said = "\n".join(result.message for result in tests.test_case_results)
    assert len(shown) == len(tests.test_case_results) >= 2
    assert all(message in said for message in shown)


def test_a_missing_function_and_one_that_raises_are_named(page: Page) -> None:
    run(page, "def attention_scores(Q, K):\n    return Q.nothing\n", button="Check")
    text = page.locator("#challenge-scores .checks").inner_text()
    assert "attention_weights" in text
    assert "AttributeError" in text
    page.locator("#challenge-scores .checks summary").first.click()
    expect(page.locator("#challenge-scores .checks pre").first).to_contain_text(
        'File "scores.py", line 2, in attention_scores'
    )


def test_later_challenges_may_call_functions_of_earlier_ones(page: Page) -> None:
    write(page, "scores", "print('quiet')\ndef double(x):\n    return 2 * x\n")
    assert run(page, "print(double(21))", challenge="masking") == "42\n"


def test_work_is_kept_reset_and_taken_back(page: Page) -> None:
    write(page, "masking", "kept = True\n")
    page.reload()
    editor = page.locator("#challenge-masking .cm-content")
    expect(editor).to_contain_text("kept = True")
    press(page, "masking", "Reset")
    expect(editor).to_contain_text("def causal_mask(scores)")
    press(page, "masking", "Undo reset")
    expect(editor).to_contain_text("kept = True")


def test_the_file_to_hand_in_holds_all_challenges(page: Page, tmp_path: Path) -> None:
    run(page, "one = 1")
    write(page, "masking", "two = (\n")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download attention.py").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    text = file.read_text("utf-8")
    assert file.name == "attention.py"
    assert "one = 1" in text and "two = (" in text and "def multi_head_attention" in text
    expect(page.locator(".hand-in [role=status]")).to_contain_text("masking.py (line 1)")


def test_a_runtime_beside_a_served_page_is_used(browser: Browser, tmp_path: Path) -> None:
    make_runtime(tmp_path / "pyodide")
    lesson = load_lesson(LESSON_ROOT).with_python_runtime("pyodide/")
    (tmp_path / "index.html").write_text(render_page(lesson), "utf-8")
    with served(tmp_path, elsewhere=False) as address, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{address}#build-it")
        assert run(page, "import numpy\nprint(6 * 7)") == "42\n"
        page.goto(f"{(tmp_path / 'index.html').as_uri()}#build-it")
        run(page, "print(6 * 7)")
        expect(page.locator("#challenge-scores .run-note").first).to_contain_text("http.server")


def test_a_runtime_out_of_reach_is_said_and_points_to_the_notebook(
    browser: Browser, lesson_page: str
) -> None:
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.goto(f"{lesson_page}#build-it")
        press(page, "scores", "Run")
        expect(page.locator("#challenge-scores .run-status")).to_have_text(
            "Python could not be loaded here.", timeout=FIRST
        )
        link = page.locator("#challenge-scores .run-note a")
        assert link.get_attribute("href") == "attention.ipynb"

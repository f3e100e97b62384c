"""The plain sentences fit what the real Python and NumPy say."""

from __future__ import annotations

import traceback
import warnings

import pytest
from playwright.sync_api import Browser

from course.scripts import SCRIPTS

pytestmark = pytest.mark.browser

SENTENCES = {
    "np.ones((3, 4)) @ np.ones((3, 2))": "here they have 4 and 3 entries",
    "np.dot(np.ones((3, 4)), np.ones((3, 4)))": "shapes (3,4) and (3,4) is not possible",
    "np.ones((3, 4)) + np.ones((3, 3))": "shapes (3,4) and (3,3) do not fit",
    "a = np.ones((3, 4)); a[0] = np.ones(3)": "shape (3,) does not fit into a place of shape (4,)",
    "a = np.array([1, 2]); a[0] = -np.inf": "cannot hold −∞",
    "a = np.array([1, 2]); a /= 2": "cannot hold a share",
    "entirely_unknown": "knows no entirely_unknown here",
    "np.soft_max": "NumPy has nothing called soft_max",
    "np.ones(2).softmax": "An array has no softmax",
    "np.array([-np.inf]) - np.array([-np.inf])": "−∞ was taken from −∞",
    "np.zeros(2) / np.zeros(2)": "0 was divided by 0",
    "np.exp(np.array([1000.0]))": "too large for a float",
    "None + 1": "is a return missing?",
    "None[0]": "is a return missing?",
    "def f(a): pass\nf()": "f was called with too few or too many arguments",
    "np.ones(3)[5]": "Axis 0 has 3 entries, numbered from 0 to 2",
    "bool(np.ones(3) > 0)": "gives one for each entry",
    "np.ones(6).reshape(4, 2)": "6 entries do not fill the shape (4,2)",
    "import surely_not_here": "surely_not_here is not here",
    "if True:\npass": "begin at the same column",
    "def f(): return f()\nf()": "calls itself without an end",
}


def said(code: str) -> str:
    """The traceback of a piece of code, or the warnings that it gave."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec("import numpy as np\n" + code, {})
        except BaseException:
            return traceback.format_exc()
    return "\n".join(f"{w.category.__name__}: {w.message}" for w in caught)


def test_sentences_fit_the_real_messages(browser: Browser) -> None:
    texts = [said(code) for code in SENTENCES]
    module = (SCRIPTS / "challenge" / "explain.js").read_text("utf-8")
    page = browser.new_page()
    found = page.evaluate(
        """async ([module, texts]) => {
            const url = "data:text/javascript;charset=utf-8," + encodeURIComponent(module);
            const { explain } = await import(url);
            return texts.map(explain);
        }""",
        [module, texts],
    )
    page.close()
    wrong = [
        (code, sentence, text.splitlines()[-1])
        for (code, wanted), sentence, text in zip(SENTENCES.items(), found, texts, strict=True)
        if wanted not in sentence
    ]
    assert wrong == []

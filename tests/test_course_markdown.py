"""Prose and formulas as HTML."""

import pytest

from course.markdown import FormulaError, formula, inline, marked, prose


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("plain", "<p>plain</p>"),
        ("*so* **it** is", "<p><em>so</em> <strong>it</strong> is</p>"),
        ("`a < b`", "<p><code>a &lt; b</code></p>"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("it's", "<p>it’s</p>"),
        ("costs 5 $ or 6 $", "<p>costs 5 $ or 6 $</p>"),
    ],
)
def test_prose(text: str, html: str) -> None:
    assert prose(text).strip() == html


def test_a_formula_in_prose_is_mathml() -> None:
    html = prose("The width $d_k$ counts.")
    assert "<msub><mi>d</mi><mi>k</mi></msub>" in html
    assert 'display="inline"' in html
    assert "$" not in html


def test_a_table_has_heading_cells() -> None:
    html = prose("| a | b |\n|---|---|\n| 1 | 2 |\n")
    assert '<th scope="col">a</th>' in html
    assert "<td>2</td>" in html


def test_inline_has_no_paragraph_and_keeps_markup() -> None:
    assert inline("one *word*\n") == "one <em>word</em>"


def test_marked_words_are_marked_for_eyes_and_for_ears() -> None:
    html = marked("the ==river== rose")
    assert "<mark>" in html
    assert "[marked: " in html
    assert "river" in html
    assert "==" not in html


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        (r"\frac{a", "do not pair up"),
        (r"\begin{pmatrix} a", "not readable"),
        (r"\notacommand{a}", r"\notacommand is not known"),
    ],
)
def test_a_mistake_in_a_formula_is_named(latex: str, words: str) -> None:
    with pytest.raises(FormulaError, match=words.replace("\\", "\\\\")):
        formula(latex)

"""Numbers as tables."""

import numpy as np
import pytest

from course.tables import FIGURE_SPACE, POINT_SPACE, table


def _texts(value: object, **options: object) -> list[list[str]]:
    return [[cell.text for cell in cells] for _, cells in table(value, "t", **options).rows]  # type: ignore[arg-type]


def test_cells_line_up_at_the_point() -> None:
    assert _texts([[0.5, 0.3837], [1, -2.25]]) == [
        ["0.5" + FIGURE_SPACE * 3, "0.3837"],
        ["1" + POINT_SPACE + FIGURE_SPACE * 4, "−2.25" + FIGURE_SPACE * 2],
    ]


def test_minus_infinity_is_shown_as_blocked() -> None:
    made = table([[0.5, -np.inf]], "scores")
    assert [(cell.text, cell.blocked) for cell in made.rows[0][1]] == [("0.5", False), ("−∞", True)]


def test_whole_numbers_get_no_blanks() -> None:
    assert _texts([[1, 0], [0, 1]]) == [["1", "0"], ["0", "1"]]


def test_heat_follows_the_share_and_never_leaves_nought_to_one() -> None:
    shares = [
        cell.share for _, cells in table([[0.25, 1.0]], "t", heat=True).rows for cell in cells
    ]
    assert shares == [0.25, 1.0]
    larger = [
        cell.share for _, cells in table([[-4.0, 2.0]], "t", heat=True).rows for cell in cells
    ]
    assert larger == [1.0, 0.5]
    assert table([[0.25]], "t").rows[0][1][0].share is None


def test_labels_are_kept_or_counted() -> None:
    named = table([[1, 2]], "t", rows=["red"], columns=["a", "b"])
    assert (named.rows[0][0], named.columns, named.headed) == ("red", ["a", "b"], True)
    assert (named.counted_rows, named.counted_columns) == (False, False)
    counted = table([[1, 2], [3, 4]], "t")
    assert ([label for label, _ in counted.rows], counted.columns) == (["1", "2"], ["1", "2"])
    assert table([1, 2], "t").headed is False


@pytest.mark.parametrize(
    ("value", "options", "words"),
    [
        ([[1, 2]], {"columns": ["a"]}, "do not fit a table of 1 by 2"),
        (np.zeros((2, 2, 2)), {}, "not 3 dimensions"),
    ],
)
def test_what_is_no_table_is_refused(value: object, options: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        table(value, "t", **options)  # type: ignore[arg-type]

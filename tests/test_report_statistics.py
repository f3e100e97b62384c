"""The report's statistics against examples that were worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.report.items import analyse
from grader.report.labels import Point, place_labels
from grader.report.statistics import (
    edges,
    group_weights,
    histogram,
    point_biserial,
    summarise,
    upper_lower,
    weighted_share,
)


def bools(*values: int) -> np.ndarray:
    return np.array(values, dtype=bool)


def floats(*values: float) -> np.ndarray:
    return np.array(values, dtype=float)


def test_a_summary_leaves_out_who_has_no_mark() -> None:
    summary = summarise(floats(40, 0, math.nan, 30, 10, 20))
    assert summary is not None
    assert (summary.count, summary.mean, summary.median) == (5, 20, 20)
    assert (summary.least, summary.lower, summary.upper, summary.most) == (0, 10, 30, 40)
    assert summary.deviation == pytest.approx(math.sqrt(200))  # of the class: 1000 / 5
    assert summarise(floats(math.nan)) is None


def test_a_mark_on_an_edge_counts_above_it_and_full_marks_in_the_last_bin() -> None:
    counts = histogram(floats(0, 9.99, 10, 99, 100, math.nan), edges(100))
    assert counts.tolist() == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]


def test_point_biserial_of_five_students() -> None:
    """(mean of those who pass - mean of the others) / deviation * root(p q), by hand:
    (8/3 - 1) / root(2) * root(6/25) = 1 / root(3)."""
    found = point_biserial(bools(1, 1, 0, 1, 0), floats(4, 3, 2, 1, 0))
    assert found == pytest.approx(1 / math.sqrt(3))


@pytest.mark.parametrize(
    ("passed", "rest"),
    [((1, 1, 1), (1, 2, 3)), ((0, 0, 0), (1, 2, 3)), ((1, 0, 1), (2, 2, 2)), ((1,), (1,))],
)
def test_no_correlation_where_nothing_varies(
    passed: tuple[int, ...], rest: tuple[float, ...]
) -> None:
    assert point_biserial(bools(*passed), floats(*rest)) is None


def test_groups_share_what_is_left_among_equals() -> None:
    """Three of ten: four with 2 points share the upper three places, so each counts 3/4; the two
    with 0 are in the lower group, and four with 1 point share its last place."""
    totals = floats(2, 1, 2, 0, 1, 2, 1, 0, 2, 1)
    upper, lower = group_weights(totals, share=0.3)
    assert upper == pytest.approx(np.where(totals == 2, 3 / 4, 0))
    assert lower == pytest.approx(np.select([totals == 0, totals == 1], [1, 1 / 4], 0))
    passed = bools(1, 1, 1, 0, 0, 0, 0, 0, 0, 0)
    assert weighted_share(passed, upper) == pytest.approx(1 / 2)
    assert weighted_share(passed, lower) == pytest.approx(1 / 12)


def test_upper_less_lower_of_a_perfect_and_of_a_reversed_item() -> None:
    totals = floats(*range(10))
    assert upper_lower(totals >= 5, totals) == pytest.approx(1)
    assert upper_lower(totals < 5, totals) == pytest.approx(-1)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=40), st.randoms())
def test_groups_do_not_depend_on_the_order_of_students(totals: list[int], mix: object) -> None:
    upper, lower = group_weights(floats(*totals))
    assert upper.sum() == pytest.approx(0.27 * len(totals))
    assert lower.sum() == pytest.approx(0.27 * len(totals))
    back, _ = group_weights(floats(*reversed(totals)))
    assert back[::-1] == pytest.approx(upper)


def test_an_item_is_compared_with_the_points_of_the_others_only() -> None:
    """Four students, two items of 10 and 1 points. Rest of the first: 1, 0, 1, 0; those who pass
    it have 1 and 0, as do the others: no correlation, though the totals would give one."""
    passed = np.array([[1, 1], [1, 0], [0, 1], [0, 0]], dtype=bool)
    first, second = analyse(passed, passed * floats(10, 1))
    assert first.difficulty == second.difficulty == 0.5
    assert first.correlation == pytest.approx(0)
    assert second.correlation == pytest.approx(0)


def test_remarks_need_a_class() -> None:
    many = np.array([[True, False, i >= 8, i < 8] for i in range(16)])
    remarks = [item.remark for item in analyse(many, many.astype(float))]
    assert remarks[:2] == ["everybody passes", "nobody passes"]
    assert "check the item" in remarks[3]
    few = many[:9]
    assert [item.remark for item in analyse(few, few.astype(float))] == [""] * 4


def test_near_points_share_a_label_and_no_label_hides_a_point() -> None:
    points = [Point(1, 0.5, 0.5), Point(2, 0.5, 0.5), Point(3, 0.51, 0.5), Point(7, 0.9, 0.2)]
    labels = place_labels(points, (300, 200))
    assert [label for label, _, _ in labels] == ["1–3", "7"]
    for label, point, (dx, dy) in labels:
        inside = 0 <= -dx <= 4.8 * len(label) and abs(dy) < 5
        assert not inside, f"{label} lies on {point}"

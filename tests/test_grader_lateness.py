"""The lateness rule: grace, days, cap, and the clocks going forward and back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from challenges.source import ContentError
from grader.lateness import DEFAULT_RULE, Lateness, lateness, read_rule

BERLIN = {"time_zone": "Europe/Berlin", "per_day": 10, "most": 50, "grace_minutes": 15}
SPRING = Lateness.model_validate({"deadline": "2026-03-27 23:59", **BERLIN})
AUTUMN = Lateness.model_validate({"deadline": "2026-10-24 23:59", **BERLIN})


def _days(rule: Lateness, time: str) -> int:
    submitted = datetime.fromisoformat(time)
    return lateness(rule, "s1", submitted, Fraction(100), Fraction(100)).days


@pytest.mark.parametrize(
    ("rule", "time", "days"),
    [
        (SPRING, "2026-03-27T22:59:00Z", 0),  # the deadline itself
        (SPRING, "2026-03-27T23:14:00Z", 0),  # 15 minutes of grace, to the second
        (SPRING, "2026-03-27T23:14:01Z", 1),
        (SPRING, "2026-03-28T22:59:00Z", 1),
        (SPRING, "2026-03-28T22:59:01Z", 2),
        (SPRING, "2026-03-29T21:59:00Z", 2),  # the day has 23 hours: 23:59 is 21:59 UTC now
        (SPRING, "2026-03-29T21:59:01Z", 3),
        (AUTUMN, "2026-10-24T21:59:00Z", 0),
        (AUTUMN, "2026-10-25T22:59:00Z", 1),  # the day has 25 hours
        (AUTUMN, "2026-10-25T22:59:01Z", 2),
        (SPRING, "2026-03-28 00:10", 0),  # without a zone: the clock on the deadline's wall
        (SPRING, "2026-03-28 00:20", 1),
        (AUTUMN, "2026-10-25 02:30", 1),  # shown twice that night; the earlier one is taken
    ],
)
def test_days_follow_the_calendar_and_grace_the_clock(rule: Lateness, time: str, days: int) -> None:
    assert _days(rule, time) == days


@given(st.integers(0, 400), st.integers(0, 86399))
def test_days_agree_with_counting_on_a_wall_calendar(days: int, seconds: int) -> None:
    deadline = datetime(2026, 3, 27, 23, 59)
    wall = deadline + timedelta(days=days, seconds=seconds)
    submitted = wall.replace(tzinfo=SPRING.there(wall).tzinfo)  # type: ignore[union-attr]
    if submitted.astimezone(UTC) - datetime(2026, 3, 27, 22, 59, tzinfo=UTC) > timedelta(
        minutes=15
    ):
        got = lateness(SPRING, "s", submitted, Fraction(1), Fraction(1)).days
        assert got == days + (seconds > 0) or wall.hour in {2, 3}  # the hour that does not exist


@pytest.mark.parametrize(
    ("score", "time", "lost"),
    [
        (Fraction(100, 3), "2026-03-28T12:00Z", Fraction(10)),  # of the possible points
        (Fraction(90), "2026-04-20T12:00Z", Fraction(50)),  # the most
        (Fraction(5), "2026-03-28T12:00Z", Fraction(5)),  # never below zero
        (Fraction(0), "2026-03-28T12:00Z", Fraction(0)),
    ],
)
def test_points_are_taken_exactly(score: Fraction, time: str, lost: Fraction) -> None:
    late = lateness(SPRING, "s1", datetime.fromisoformat(time), score, Fraction(100))
    assert late.points == lost


def test_an_extension_a_closing_day_and_an_unknown_time() -> None:
    rule = SPRING.model_copy(
        update={
            "closed_after_days": 3,
            "extensions": {"s2": datetime.fromisoformat("2026-04-03 23:59")},
        }
    )
    april = datetime(2026, 4, 2, tzinfo=UTC)
    assert lateness(rule, "s1", april, Fraction(80), Fraction(100)).points == 80
    assert lateness(rule, "s2", april, Fraction(80), Fraction(100)).points == 0
    assert lateness(rule, "s1", None, Fraction(80), Fraction(100)).points == 0


def test_the_rule_that_the_kit_carries_takes_nothing() -> None:
    rule = read_rule(DEFAULT_RULE)
    late = lateness(rule, "s1", datetime(2030, 1, 1, tzinfo=UTC), Fraction(80), Fraction(100))
    assert late.points == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("time_zone: Europe/Berln", ":1: time_zone: found 'Europe/Berln': no such time zone"),
        ("deadline: 2026-03-27", ":1: deadline: found "),
        ("deadline: 20260327", ":1: deadline: found 20260327: a day and a time are expected"),
        ("per_day: 120", ":1: per_day: found 120"),
        ("per_dya: 10", ":1: per_dya: unknown key; did you mean 'per_day'?"),
        (
            "time_zone: Europe/Berlin\ndeadline: 2026-03-29 02:30",
            "does not exist in Europe/Berlin: the clocks go forward then",
        ),
    ],
)
def test_mistakes_in_the_rule_are_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "lateness.yaml"
    file.write_text(text + "\n", "utf-8")
    with pytest.raises(ContentError) as caught:
        read_rule(file)
    assert message in str(caught.value)

"""The lateness rule: how much a mark loses when it is exported.

Days are days of the calendar at the place of the deadline: across a change of the clocks, "one day
later" is the same time on the wall the next day. The grace is time that really passes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from challenges.source import Content, ContentError, check, read

DEFAULT_RULE = Path(__file__).with_name("lateness.yaml")
Percent = Annotated[float, Field(ge=0, le=100)]


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError("no such time zone; a name such as Europe/Berlin is expected") from error
    return name


def _with_time(value: Any) -> Any:
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str) or len(value) < len("2026-03-27 23:59"):
        raise ValueError("a day and a time are expected, such as 2026-03-27 23:59")
    return value


Time = Annotated[datetime, BeforeValidator(_with_time)]


class Lateness(Content):
    """`lateness.yaml`; without a deadline nothing is ever late."""

    deadline: Time | None = None
    time_zone: Annotated[str, AfterValidator(_zone)] = "UTC"
    grace_minutes: Annotated[float, Field(ge=0)] = 0
    per_day: Percent = 0
    most: Percent = 100
    closed_after_days: Annotated[int, Field(ge=0)] | None = None
    extensions: dict[str, Time] = {}

    @model_validator(mode="after")
    def _on_the_clock(self) -> Lateness:
        for time in filter(None, (self.deadline, *self.extensions.values())):
            if time.tzinfo is None:
                there = time.replace(tzinfo=ZoneInfo(self.time_zone))
                if there.astimezone(UTC).astimezone(there.tzinfo).replace(tzinfo=None) != time:
                    raise ValueError(
                        f"{time} does not exist in {self.time_zone}: the clocks go forward then"
                    )
        return self

    def deadline_of(self, student: str) -> datetime | None:
        """The student's deadline, with its time zone."""
        return self.there(self.extensions.get(student, self.deadline))

    def there(self, time: datetime | None) -> datetime | None:
        """A time without a zone is one on the deadline's wall; one shown twice is the earlier."""
        zone = ZoneInfo(self.time_zone)
        if time is None:
            return None
        return time.replace(tzinfo=zone) if time.tzinfo is None else time.astimezone(zone)


@dataclass(frozen=True)
class Late:
    """What lateness takes from a mark: days begun after the deadline, points, and time passed."""

    days: int = 0
    points: Fraction = Fraction(0)
    by: timedelta = timedelta(0)


def read_rule(file: Path) -> Lateness:
    """The rule in `file`; raises ContentError with all its mistakes."""
    source, findings = read(file)
    if source is not None:
        rule, findings = check(source, Lateness)
        if rule is not None:
            return rule
    raise ContentError(findings)


def days_late(submitted: datetime, deadline: datetime, grace: timedelta) -> int:
    """Days begun since the deadline, 0 within the grace; both times have a zone."""
    if submitted.astimezone(UTC) - deadline.astimezone(UTC) <= grace:
        return 0
    days = max((submitted.astimezone(UTC) - deadline.astimezone(UTC)).days - 1, 0)
    while submitted.astimezone(UTC) > (deadline + timedelta(days=days)).astimezone(UTC):
        days += 1
    return days


def lateness(
    rule: Lateness, student: str, submitted: datetime | None, score: Fraction, possible: Fraction
) -> Late:
    """What this student's score loses; nothing where the time of submission is not known."""
    deadline, there = rule.deadline_of(student), rule.there(submitted)
    if deadline is None or there is None:
        return Late()
    days = days_late(there, deadline, timedelta(minutes=rule.grace_minutes))
    if not days:
        return Late()
    by = there.astimezone(UTC) - deadline.astimezone(UTC)
    if rule.closed_after_days is not None and days > rule.closed_after_days:
        return Late(days, score, by)
    percent = min(Fraction(str(rule.per_day)) * days, Fraction(str(rule.most)))
    return Late(days, min(score, possible * percent / 100), by)

"""Fixtures that several test files share."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from grader.sandbox import ForkSandbox, open_sandbox
from grader.sandbox.forkserver import ServerError
from grader.sandbox.jail import Tier

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

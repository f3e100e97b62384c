"""Picks the strongest tier that this machine gives, trying each out rather than trusting it."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from .confined import ForkSandbox
from .forkserver import ServerError, missing_locks
from .jail import Tier


class WeakIsolationError(Exception):
    """This machine gives only tier C, and that was not asked for."""


@dataclass(frozen=True)
class Probe:
    """The tier that was reached, and why each stronger one was not."""

    tier: Tier
    reasons: dict[Tier, str]


def open_sandbox(
    accept_weak: bool = False,
    tier: Tier | None = None,
    quiet: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> ForkSandbox:
    """A sandbox of the strongest tier, or of the given one.

    `quiet` is entered while a timed-out call is tried again: nobody else should run then.
    Raises WeakIsolationError, or ServerError if the given tier cannot be had.
    """
    if tier is not None:
        if tier != "C" and (missing := missing_locks()):
            raise ServerError("; ".join(missing))
        return ForkSandbox(tier, quiet)
    sandbox, reasons = _strongest(quiet)
    if sandbox.tier == "C" and not accept_weak:
        sandbox.close()
        raise WeakIsolationError("; ".join(reasons.values()))
    return sandbox


def probe_tier() -> Probe:
    """The strongest tier that works here."""
    sandbox, reasons = _strongest(nullcontext)
    with sandbox:
        return Probe(sandbox.tier, reasons)


def _strongest(
    quiet: Callable[[], AbstractContextManager[None]],
) -> tuple[ForkSandbox, dict[Tier, str]]:
    reasons: dict[Tier, str] = {}
    if missing := missing_locks():
        reasons["A"] = reasons["B"] = "; ".join(missing)
    else:
        for tier in ("A", "B"):
            try:
                return ForkSandbox(tier, quiet), reasons
            except ServerError as error:
                reasons[tier] = str(error)
    return ForkSandbox("C", quiet), reasons

"""Picks the strongest tier that this machine gives, trying the locks out rather than trusting."""

from collections.abc import Iterable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from ..outcome import Call, Cell, Limits
from . import probes
from .confined import ForkSandbox, Quiet
from .forkserver import ForkServer, ServerError, missing
from .jail import Tier

LOCKED_TIERS: tuple[Tier, ...] = ("A", "B")
PROBE_LIMITS = Limits(wall_seconds=0.5, load_seconds=5.0, cpu_seconds=2, memory_mib=1024)


class WeakIsolationError(Exception):
    """This machine gives only tier C, and that was not accepted."""


@dataclass(frozen=True)
class Tried:
    """One forbidden act that was tried: what it is, whether it got through, what was said."""

    act: str
    open: bool
    said: str


def open_sandbox(
    accept_weak: bool = False,
    tier: Tier | None = None,
    quiet: Quiet = nullcontext,
    server: ForkServer | None = None,
) -> ForkSandbox:
    """A sandbox of the strongest tier that this machine gives, or of the given one.

    `quiet` is entered while a timed-out call is tried again: nobody else should run then. A
    `server` that was started before is taken if it is of the tier.
    Raises WeakIsolationError, or ServerError if the given tier cannot be had.
    """
    if tier is not None:
        return _locked(tier, quiet, server)
    sandbox, reasons = strongest(quiet, server)
    if sandbox.tier == "C" and not accept_weak:
        sandbox.close()
        raise WeakIsolationError("; ".join(dict.fromkeys(reasons.values())))
    return sandbox


def start_server() -> ForkServer | None:
    """A server of the strongest tier that may be had here, to be taken when its locks were tried;
    meanwhile there is other work to do."""
    for tier in LOCKED_TIERS:
        with suppress(ServerError):
            if not missing(tier):
                return ForkServer(tier)
    return None


def strongest(
    quiet: Quiet = nullcontext, server: ForkServer | None = None
) -> tuple[ForkSandbox, dict[Tier, str]]:
    """A sandbox of the strongest tier, and why each stronger one cannot be had."""
    reasons: dict[Tier, str] = {}
    for tier in LOCKED_TIERS:
        try:
            return _locked(tier, quiet, server), reasons
        except ServerError as error:
            reasons[tier] = str(error)
    return ForkSandbox(ForkServer("C"), quiet), reasons


def probe_tier() -> Tier:
    """The strongest tier that works here."""
    sandbox, _ = strongest()
    with sandbox:
        return sandbox.tier


def _locked(tier: Tier, quiet: Quiet, server: ForkServer | None = None) -> ForkSandbox:
    """A sandbox whose locks have been tried. Raises ServerError."""
    if lacking := missing(tier):
        raise ServerError("; ".join(lacking))
    if server is None or server.tier != tier:
        server = ForkServer(tier)
    sandbox = ForkSandbox(server, quiet)
    if tier != "C" and (holes := [t for t in try_locks(sandbox, probes.ON_START) if t.open]):
        sandbox.close()
        raise ServerError("; ".join(f"a child can {t.act}" for t in holes))
    return sandbox


def try_locks(sandbox: ForkSandbox, names: Iterable[str]) -> Sequence[Tried]:
    """Have a child try the named forbidden acts, and then what must still work."""
    names = list(names)
    cell = Cell("probes.py", Path(probes.__file__).read_bytes())
    calls = [Call(name, name, (), limits=PROBE_LIMITS) for name in [*names, "still_works"]]
    load, outcomes = sandbox.run([cell], calls)
    tried = []
    for name, outcome in zip(names, outcomes, strict=False):
        error = outcome.error
        said = f"{error.type_name}: {error.message}" if error else outcome.detail
        # A probe that is refused raises; one that ends its process may have got through.
        refused = outcome.status in ("raised", "blocked", "memory", "timeout", "output")
        tried.append(Tried(probes.FORBIDDEN[name], not refused, said))
    last = outcomes[-1]
    if last.status != "returned":
        reason = last.error or load.cells[0] or last.detail
        tried.append(Tried("compute, which it should", True, str(reason)))
    return tried

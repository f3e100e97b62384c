"""Confines student code: see jail.py for the tiers, inside/ for what runs in the jail."""

from .confined import ForkSandbox
from .opening import WeakIsolationError, open_sandbox, probe_tier

__all__ = ["ForkSandbox", "WeakIsolationError", "open_sandbox", "probe_tier"]

"""The calls of a run, with what every submission's children need of them, worked out once."""

from collections.abc import Sequence

from ..outcome import Call, Items, Limits, Outcome, Value
from ..remembered import Remembered
from .wire import encode_calls, part

MOST_KNOWN, LONGEST_KNOWN, MOST_ARRAYS = 5_000, 2_000, 8
"""So many answers are kept, each of so many bytes and arrays: some 30 MB at most."""


class Asked:
    """Those calls that are not hidden are `first`, in marshalled form; the others `held_back`."""

    def __init__(self, calls: Sequence[Call]) -> None:
        """Raises ValueError if a hidden call comes before another."""
        self.calls = calls
        self.open_calls = sum(not c.hidden for c in calls)
        if any(c.hidden for c in calls[: self.open_calls]):
            raise ValueError("hidden calls come last")
        self.first = part(encode_calls(calls[: self.open_calls]))
        self.held_back = part(encode_calls(calls[self.open_calls :]))
        self.wanted = list(dict.fromkeys(c.function for c in calls))
        self._limits: dict[int, Limits] = {}
        self._known: Remembered[tuple[int, int, bytes], Outcome] = Remembered(MOST_KNOWN)

    def limits(self, start: int) -> Limits:
        """The limits of a child that runs the calls from `start` on: the widest of theirs."""
        if start not in self._limits:
            left = [c.limits for c in self.calls[start:]] or [Limits()]
            self._limits[start] = Limits(
                wall_seconds=max(x.wall_seconds for x in left),
                load_seconds=max(x.load_seconds for x in left),
                cpu_seconds=max(x.cpu_seconds for x in left),
                memory_mib=max(x.memory_mib for x in left),
                output_kib=max(x.output_kib for x in left),
                result_mib=max(x.result_mib for x in left),
            )
        return self._limits[start]

    def known(self, call: int, status: int, body: bytes) -> Outcome | None:
        """What this very answer was found to mean before: in a class, most come many times."""
        return self._known.get((call, status, body))

    def learn(self, call: int, status: int, body: bytes, outcome: Outcome) -> None:
        """Remember what a result means, unless it is a long one or of many parts."""
        if len(body) > LONGEST_KNOWN or outcome.status != "returned":
            return
        if sum(map(_parts, outcome.values)) > MOST_ARRAYS:
            return
        self._known[call, status, body] = outcome


def _parts(value: Value) -> int:
    return 1 + sum(map(_parts, value.items)) if isinstance(value, Items) else 1

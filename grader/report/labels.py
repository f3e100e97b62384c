"""Where the labels of a scatter chart stand, so that none is on top of another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Point(NamedTuple):
    """A numbered point of a scatter chart."""

    number: int
    x: float
    y: float


Shift = tuple[float, float]


def place_labels(points: Sequence[Point], scale: Shift) -> list[tuple[str, Point, Shift]]:
    """A label for each knot of near points, where it has room; where it has none, none."""
    knots: list[list[Point]] = []
    for point in points:
        near = (
            knot
            for knot in knots
            if abs(knot[0].x - point.x) * scale[0] < 7 and abs(knot[0].y - point.y) * scale[1] < 7
        )
        knot = next(near, None)
        if knot is None:
            knots.append([point])
        else:
            knot.append(point)
    boxes = [(p.x * scale[0], p.y * scale[1], 3.0) for p in points]
    labels: list[tuple[str, Point, Shift]] = []
    for knot in knots:
        first, label = knot[0], _ranges([p.number for p in knot])
        half = 2.4 * len(label)
        options: list[Shift] = [
            (8, 0), (-8 - 2 * half, 0), (-half, 10), (-half, -10), (8, 9), (8, -9),
            (-8 - 2 * half, 9), (-8 - 2 * half, -9), (14, 0), (-half, 18), (-half, -18),
        ]  # fmt: skip
        for dx, dy in options:
            x, y = first.x * scale[0] + dx + half, first.y * scale[1] + dy
            if all(abs(x - bx) > half + bw or abs(y - by) > 7 for bx, by, bw in boxes):
                boxes.append((x, y, half))
                labels.append((label, first, (dx, dy)))
                break
    return labels


def _ranges(numbers: Sequence[int]) -> str:
    """`1, 4–6` for 1, 4, 5, 6."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(r[0]) if len(r) == 1 else f"{r[0]}–{r[-1]}" for r in runs)

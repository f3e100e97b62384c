"""Answers that show no understanding and must earn nothing.

They are given more than a student has: the shape of what is expected, and the public results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from challenges.cases import Prepared
from grader.audit.bench import Bench
from grader.outcome import Items, Outcome
from grader.trial import describe

Answer = Callable[[Prepared], tuple[np.ndarray, ...]]


def stubs(bench: Bench) -> Iterator[tuple[str, list[Outcome]]]:
    """The name and the outcomes of each stub of a function."""
    for name, answer in _answers(bench.cases[0].prepared.function.parameters.__len__()):
        yield name, [_outcome(answer(case.prepared), case.prepared) for case in bench.cases]
    public = [c.prepared for c in bench.cases if c.prepared.case.visibility == "public"]
    if public:
        yield (
            "the public results, by their inputs",
            [_outcome(_looked_up(case.prepared, public), case.prepared) for case in bench.cases],
        )
        for known in public:
            fixed = [_outcome(known.expected, case.prepared) for case in bench.cases]
            yield f"always the result of {known.case.id}", fixed


def _answers(parameters: int) -> Iterator[tuple[str, Answer]]:
    yield "zeros", lambda case: tuple(np.zeros_like(e) for e in case.expected)
    yield "ones", lambda case: tuple(np.ones_like(e) for e in case.expected)
    yield "identity", lambda case: tuple(np.eye(*_flat(e)).reshape(e.shape) for e in case.expected)
    yield "uniform", lambda case: tuple(np.full(e.shape, 1 / e.shape[-1]) for e in case.expected)
    yield "lower triangle", lambda case: tuple(_even_triangle(e) for e in case.expected)
    yield "−∞ above the diagonal", lambda case: tuple(_blocked(e) for e in case.expected)
    yield "NaN", lambda case: tuple(np.full(e.shape, np.nan) for e in case.expected)
    yield "random", _random
    for index in range(parameters):
        yield f"input {index + 1} returned", _input(index)


def _flat(expected: np.ndarray) -> tuple[int, int]:
    return (expected.shape[0], expected.size // expected.shape[0])


def _even_triangle(expected: np.ndarray) -> np.ndarray:
    rows, columns = _flat(expected)
    triangle = np.tri(rows, columns)
    return np.asarray(triangle / triangle.sum(axis=1, keepdims=True)).reshape(expected.shape)


def _blocked(expected: np.ndarray) -> np.ndarray:
    return np.where(np.tri(*_flat(expected)) > 0, 0.0, -np.inf).reshape(expected.shape)


def _random(case: Prepared) -> tuple[np.ndarray, ...]:
    generator = np.random.default_rng(sum(map(ord, case.case.id)))
    return tuple(generator.random(e.shape) for e in case.expected)


def _input(index: int) -> Answer:
    def answer(case: Prepared) -> tuple[np.ndarray, ...]:
        given = case.arguments[index] if index < len(case.arguments) else 0.0
        array = np.array(given, np.float64)
        return tuple(array if array.shape == e.shape else np.zeros_like(e) for e in case.expected)

    return answer


def _looked_up(case: Prepared, public: Sequence[Prepared]) -> tuple[np.ndarray, ...]:
    for known in public:
        if all(np.array_equal(a, b) for a, b in zip(known.arguments, case.arguments, strict=False)):
            return known.expected
    return tuple(np.zeros_like(e) for e in case.expected)


def _outcome(arrays: tuple[np.ndarray, ...], case: Prepared) -> Outcome:
    items = tuple(describe(array) for array in arrays)
    value = Items("tuple", items) if len(items) > 1 else items[0]
    return Outcome("returned", (value,) * case.case.repeat)

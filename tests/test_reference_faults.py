"""The faulty calculation: right with no fault on, wrong with any, and faults go together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reference import FAULTS, FUNCTIONS, faulty


def inputs(function: str, seed: int) -> tuple[Any, ...]:
    """Uneven sizes, values of mixed sign and scores that are far apart."""
    generator = np.random.default_rng(seed)
    if function in {"attention_scores", "masked_attention"}:
        return tuple(generator.normal(size=(2 + (function == "masked_attention"), 5, 3)))
    if function in {"attention_weights", "causal_mask"}:
        return (30 * generator.normal(size=(4, 4)),)
    weights = [generator.normal(size=(6,) * (2 - i % 2)) for i in range(8)]
    return (generator.normal(size=(4, 6)), *weights, 3, seed % 2 == 1)


def run(function: str, *forms: Any, seed: int = 1) -> Any:
    calculation = faulty(function, *forms)
    assert calculation is not None
    return calculation(
        *(np.array(a) if isinstance(a, np.ndarray) else a for a in inputs(function, seed))
    )


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_fault_gives_the_reference(function: str, seed: int) -> None:
    got, right = run(function, seed=seed), FUNCTIONS[function](*inputs(function, seed))
    for value, expected in zip(
        *(x if isinstance(x, tuple) else (x,) for x in (got, right)), strict=True
    ):
        np.testing.assert_allclose(value, expected, rtol=1e-12, atol=1e-13)


def test_a_call_that_leaves_the_flag_out_is_not_causal() -> None:
    arguments = inputs("multi_head_attention", 2)
    calculation = faulty("multi_head_attention")
    assert calculation is not None
    np.testing.assert_array_equal(calculation(*arguments[:-1]), calculation(*arguments))


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_concerns_a_function(fault: str) -> None:
    assert any(faulty(function, form) for form in FAULTS[fault] for function in FUNCTIONS)


def test_known_wrong_results() -> None:
    Q, K = inputs("attention_scores", 1)
    np.testing.assert_allclose(run("attention_scores", FAULTS["scale-missing"][0]), Q @ K.T)
    shares = run("attention_weights", FAULTS["softmax-over-columns"][0])
    np.testing.assert_allclose(shares.sum(axis=0), 1)
    masked = run("causal_mask", FAULTS["mask-starts-too-late"][0])
    np.testing.assert_array_equal(np.isinf(masked), np.triu(np.ones((4, 4)), 2) > 0)


def test_two_faults_at_once() -> None:
    scale, columns = FAULTS["scale-missing"][0], FAULTS["softmax-over-columns"][0]
    _, both = run("masked_attention", scale, columns)
    Q, K, _ = inputs("masked_attention", 1)
    powers = np.exp(np.where(np.tri(5) > 0, Q @ K.T, -np.inf))
    np.testing.assert_allclose(both, powers / powers.sum(axis=0))


def test_faults_of_one_step_exclude_each_other() -> None:
    missing, root = FAULTS["scale-missing"][0], FAULTS["scale-without-root"][0]
    assert faulty("attention_scores", missing, root) is None


def test_a_fault_of_a_step_that_is_not_there() -> None:
    assert faulty("causal_mask", FAULTS["scale-missing"][0]) is None
    assert faulty("masked_attention", FAULTS["causal-always"][0]) is None

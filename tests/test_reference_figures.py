"""Every figure of the lesson that a hand can check."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from reference import FIGURES, FUNCTIONS

RED_BLUE_RED = ["red", "blue", "red"]
SHARES = [[0.3837, 0.2327, 0.3837], [0.2741, 0.4519, 0.2741], [0.3837, 0.2327, 0.3837]]
RESULT = [[0.7673, 0.2327, 0, 0], [0.5481, 0.4519, 0, 0], [0.7673, 0.2327, 0, 0]]


def colours(*arguments: Any, **options: Any) -> dict[str, Any]:
    found = FIGURES["colour_attention"](*arguments, **options)
    assert isinstance(found, dict)
    return found


def rounded(value: Any, expected: Any, decimals: int = 4) -> None:
    np.testing.assert_array_equal(np.round(value, decimals), expected)


def test_names_of_the_contract() -> None:
    assert list(FUNCTIONS) == [
        "attention_scores",
        "attention_weights",
        "causal_mask",
        "masked_attention",
        "multi_head_attention",
    ]


def test_the_four_colours() -> None:
    vectors = FIGURES["token_vectors"](["red", "blue", "green", "yellow"])
    np.testing.assert_array_equal(np.asarray(vectors), np.eye(4))


@pytest.mark.parametrize(("tokens", "text"), [([], "no tokens"), (["rde"], "unknown token 'rde'")])
def test_tokens_that_are_not_there(tokens: list[str], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        FIGURES["token_vectors"](tokens)


def test_red_blue_red() -> None:
    figure = colours(RED_BLUE_RED)
    for role in "QKV":
        np.testing.assert_array_equal(figure[role], figure["X"])
    np.testing.assert_array_equal(figure["raw"], [[1, 0, 1], [0, 1, 0], [1, 0, 1]])
    np.testing.assert_array_equal(figure["scaled"], [[0.5, 0, 0.5], [0, 0.5, 0], [0.5, 0, 0.5]])
    rounded(figure["shares"], SHARES)
    rounded(figure["result"], RESULT)
    rounded(figure["output"], RESULT)
    rounded(figure["row_totals"], [1, 1, 1])
    rounded(figure["column_totals"], [1.0414, 0.9173, 1.0414])


def test_shares_from_the_formula() -> None:
    shares = colours(RED_BLUE_RED)["shares"]
    root_e = math.exp(0.5)
    np.testing.assert_allclose(shares[0], np.array([root_e, 1, root_e]) / (2 * root_e + 1))
    np.testing.assert_allclose(shares[1], np.array([1, root_e, 1]) / (root_e + 2))
    assert 2 * shares[1][0] > shares[1][1]  # two reds outweigh the blue


def test_two_heads() -> None:
    figure = colours(RED_BLUE_RED, heads=2)
    first, second = figure["heads"]
    np.testing.assert_array_equal(first["Q"], [[1, 0], [0, 1], [1, 0]])
    np.testing.assert_array_equal(second["Q"], np.zeros((3, 2)))
    rounded(first["scaled"][0], [0.7071, 0, 0.7071])
    rounded(first["shares"][0], [0.4011, 0.1978, 0.4011])
    np.testing.assert_array_equal(second["scaled"], np.zeros((3, 3)))
    np.testing.assert_allclose(second["shares"], 1 / 3)
    rounded(figure["output"][0], [0.8022, 0.1978, 0, 0])
    np.testing.assert_array_equal(second["result"], np.zeros((3, 2)))


def test_four_heads_see_one_coordinate_each() -> None:
    heads = colours(["green", "yellow"], heads=4)["heads"]
    assert [head["Q"].ravel().tolist() for head in heads] == [[0, 0], [0, 0], [1, 0], [0, 1]]


def test_masked() -> None:
    figure = colours(RED_BLUE_RED, causal=True)
    blocked = -math.inf
    np.testing.assert_array_equal(
        figure["scaled"], [[0.5, blocked, blocked], [0, 0.5, blocked], [0.5, 0, 0.5]]
    )
    rounded(figure["shares"], [[1, 0, 0], [0.3775, 0.6225, 0], SHARES[2]])
    rounded(figure["result"], [[1, 0, 0, 0], [0.3775, 0.6225, 0, 0], RESULT[2]])


def test_zeroed_shares_leave_rows_below_one() -> None:
    figure = FIGURES["zeroed_shares"](RED_BLUE_RED)
    rounded(figure["shares"], [[0.3837, 0, 0], [0.2741, 0.4519, 0], SHARES[2]])
    rounded(figure["row_totals"], [0.3837, 0.7259, 1])
    rounded(figure["result"][0], [0.3837, 0, 0, 0])


def test_moved_tokens_keep_their_results() -> None:
    output = colours(["blue", "red", "red"])["output"]
    rounded(output, [RESULT[1], RESULT[0], RESULT[0]])


def test_positions() -> None:
    figure = colours(RED_BLUE_RED, positions=True)
    np.testing.assert_array_equal(figure["X"][0], [1, 1, 0, 1])
    rounded(figure["X"][2], [1.9093, -0.4161, 0.02, 0.9998])
    rounded(figure["shares"][0], [0.3349, 0.4053, 0.2599])
    rounded(figure["shares"][2], [0.2013, 0.1547, 0.6440])


def test_positional_encoding_of_width_four() -> None:
    encoding = np.asarray(FIGURES["positional_encoding"](4, 4))
    for p, row in enumerate(encoding):
        expected = [math.sin(p), math.cos(p), math.sin(p / 100), math.cos(p / 100)]
        np.testing.assert_allclose(row, expected, rtol=1e-15)


@pytest.mark.parametrize(
    ("tokens", "heads", "count"), [(3, 1, 9), (6, 1, 36), (12, 1, 144), (6, 2, 72)]
)
def test_share_count(tokens: int, heads: int, count: int) -> None:
    assert FIGURES["share_count"](tokens, heads) == count


def test_a_score_of_zero_gets_a_share() -> None:
    shares = FIGURES["softmax_row"]([0.5, 0, 0.5])
    np.testing.assert_allclose(np.asarray(shares)[1], 1 / (2 * math.exp(0.5) + 1))
    assert FIGURES["softmax_row"]([0, 0]) == [0.5, 0.5]


def test_gradient_of_a_row() -> None:
    same = FIGURES["softmax_row_gradient"]([0.5, 0, 0.5], [2, 2, 2])
    np.testing.assert_allclose(np.asarray(same), 0, atol=1e-15)
    got = np.asarray(FIGURES["softmax_row_gradient"]([0, 0], [1, 0]))
    np.testing.assert_allclose(got, [0.25, -0.25])

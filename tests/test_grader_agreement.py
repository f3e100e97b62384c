"""Whether results are close is what NumPy says of them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from challenges.model import Tolerance
from grader.agreement import close

SHAPE = (3,)
NUMBERS = st.floats(width=64) | st.sampled_from([0.0, 1.0, 1.0 + 1e-7, np.nan, np.inf, -np.inf])
ARRAYS = hnp.arrays(np.float64, SHAPE, elements=NUMBERS)


@given(ARRAYS, ARRAYS)
def test_close_is_allclose(value: np.ndarray, right: np.ndarray) -> None:
    tolerance = Tolerance()
    with np.errstate(all="ignore"):
        for one, other in ((value, right), (right, right), (right * (1 + 1e-7), right)):
            expected = np.allclose(
                one, other, rtol=tolerance.relative, atol=tolerance.absolute, equal_nan=True
            )
            assert close(one, other, tolerance) == expected


def test_booleans_are_compared_as_they_are() -> None:
    assert close(np.array([True]), np.array([True]), Tolerance())
    assert not close(np.array([True]), np.array([False]), Tolerance())

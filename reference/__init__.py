"""The hidden NumPy reference of the lesson. Imports nothing of ours.

`FUNCTIONS` are the functions that students write; `FIGURES` are the calculations that content may
call by name; `FAULTS` are the mistakes that students make and `faulty` turns them on. Nothing of
this package may reach a student.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import colours, functions, positions
from .faults import FAULTS, faulty

__all__ = ["FAULTS", "FIGURES", "FUNCTIONS", "faulty"]

FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        functions.attention_scores,
        functions.attention_weights,
        functions.causal_mask,
        functions.masked_attention,
        functions.multi_head_attention,
    )
}

FIGURES: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        colours.colour_attention,
        colours.token_vectors,
        colours.zeroed_shares,
        colours.softmax_row,
        colours.softmax_row_gradient,
        colours.share_count,
        positions.positional_encoding,
    )
}

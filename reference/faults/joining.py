"""Faults in laying the results of heads side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from .calculation import Form, Work
from .heads import join_interleaved, join_reshape, joined, side_by_side


def _only(index: int) -> Form:
    def join(w: Work, parts: Any) -> Any:
        kept = np.zeros_like(parts)
        kept[index] = parts[index]
        return side_by_side(kept)

    return joined(join)


FAULTS: dict[str, list[Form]] = {
    "heads-joined-by-reshape": [
        joined(join_reshape),
        joined(lambda w, H: H.transpose(0, 2, 1).reshape(w.n, w.d_model)),
        joined(lambda w, H: H.transpose(2, 0, 1).reshape(w.n, w.d_model)),
        joined(lambda w, H: H.transpose(2, 1, 0).reshape(w.n, w.d_model)),
        joined(lambda w, H: np.concatenate(list(H), axis=0).reshape(w.n, w.d_model)),
    ],
    "heads-joined-interleaved": [joined(join_interleaved)],
    "one-head-only-kept": [
        _only(0),
        _only(-1),
        joined(lambda w, H: H[0]),
        joined(lambda w, H: H[-1]),
    ],
    "heads-averaged": [
        joined(lambda w, H: np.tile(H.mean(axis=0), len(H))),
        joined(lambda w, H: np.repeat(H.mean(axis=0), len(H), axis=1)),
        joined(lambda w, H: H.mean(axis=0)),
        {
            "join": lambda w, H: H.mean(axis=0),
            "output": lambda w, joined: joined @ w.W_o[:, : w.d_k].T + w.b_o,
        },
        {
            "join": lambda w, H: H.mean(axis=0),
            "output": lambda w, joined: joined @ w.W_o[: w.d_k] + w.b_o,
        },
        joined(lambda w, H: side_by_side(H) / len(H)),
    ],
    "heads-summed": [
        joined(lambda w, H: np.tile(H.sum(axis=0), len(H))),
        joined(lambda w, H: np.repeat(H.sum(axis=0), len(H), axis=1)),
        joined(lambda w, H: H.sum(axis=0)),
        {
            "join": lambda w, H: H.sum(axis=0),
            "output": lambda w, joined: joined @ w.W_o[:, : w.d_k].T + w.b_o,
        },
        joined(lambda w, H: side_by_side(np.cumsum(H, axis=0))),
    ],
    "heads-in-wrong-order": [
        joined(lambda w, H: side_by_side(H[::-1])),
        joined(lambda w, H: side_by_side(H)[:, ::-1]),
        joined(lambda w, H: side_by_side(np.roll(H, 1, axis=0))),
    ],
    "heads-stacked-as-rows": [
        joined(lambda w, H: np.concatenate(list(H), axis=0)),
        joined(lambda w, H: np.concatenate(list(H), axis=0)) | {"output": lambda w, j: j},
        {"join": lambda w, H: H, "output": lambda w, joined: joined},
    ],
}

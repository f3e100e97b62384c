"""Faults around the projections: the output, and an input that is split too early."""

from __future__ import annotations

from typing import Any

import numpy as np

from .calculation import Form, Work


def _blocks(w: Work, role: str, kind: str) -> Any:
    """Head by head from its own columns of X only."""
    W, b = getattr(w, f"W_{role}"), getattr(w, f"b_{role}")
    parts = []
    for h in range(w.heads):
        c, first = slice(h * w.d_k, (h + 1) * w.d_k), slice(0, w.d_k)
        matrix = {
            "own": W[c, c].T,
            "own-as-is": W[c, c],
            "first": W[first, first].T,
            "first-as-is": W[first, first],
        }[kind]
        parts.append(w.X[:, c] @ matrix + (b[first] if kind.startswith("first") else b[c]))
    return np.concatenate(parts, axis=1)


def _split_first(kind: str) -> Form:
    return {
        "project_q": lambda w: _blocks(w, "q", kind),
        "project_k": lambda w: _blocks(w, "k", kind),
        "project_v": lambda w: _blocks(w, "v", kind),
    }


def _output_blocks(kind: str, bias: bool = True) -> Form:
    """W_o is applied to each head by itself, with a block of it."""

    def output(w: Work, joined: Any) -> Any:
        parts = []
        for h in range(w.heads):
            c, first = slice(h * w.d_k, (h + 1) * w.d_k), slice(0, w.d_k)
            block = {
                "first": w.W_o[first, first].T,
                "own": w.W_o[c, c].T,
                "own-as-is": w.W_o[c, c],
                "first-as-is": w.W_o[first, first],
            }[kind]
            parts.append(joined[:, c] @ block)
        return np.concatenate(parts, axis=1) + (w.b_o if bias else 0.0)

    return {"output": output}


def _output_summed(rows: bool) -> Form:
    def output(w: Work, joined: Any) -> Any:
        total = np.zeros(w.d_model) + w.b_o
        for h in range(w.heads):
            c = slice(h * w.d_k, (h + 1) * w.d_k)
            total = total + joined[:, c] @ (w.W_o[c] if rows else w.W_o[:, : w.d_k].T)
        return total

    return {"output": output}


FAULTS: dict[str, list[Form]] = {
    "output-projection-missing": [
        {"output": lambda w, joined: joined},
        {"output": lambda w, joined: joined + w.b_o},
    ],
    "output-weights-left-of-product": [
        {"output": lambda w, joined: w.W_o @ joined + w.b_o},
        {"output": lambda w, joined: joined * w.W_o.sum(axis=1) + w.b_o},
    ],
    "output-projection-per-head": [
        *(_output_blocks(kind) for kind in ("first", "own", "own-as-is", "first-as-is")),
        *(_output_blocks(kind, bias=False) for kind in ("first", "own")),
        _output_summed(rows=True),
        _output_summed(rows=False),
    ],
    "output-projection-twice": [
        {
            "output": lambda w, joined: w.do(
                "affine",
                w.do("affine", joined, w.do("weight_o"), w.do("bias_o")),
                w.do("weight_o"),
                w.do("bias_o"),
            )
        },
        {
            "project_v": lambda w: w.do(
                "affine",
                w.do("affine", w.X, w.do("weight_v"), w.do("bias_v")),
                w.do("weight_o"),
                w.do("bias_o"),
            ),
            "output": lambda w, joined: joined,
        },
    ],
    "input-split-before-projection": [
        *(_split_first(kind) for kind in ("own", "own-as-is", "first", "first-as-is")),
    ],
}

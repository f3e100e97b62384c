"""Faults in scaling: what stands under the root, the root itself, and when."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .calculation import Form, Work


def _by(divisor: Callable[[Work], Any]) -> Form:
    return {"scale": lambda w, raw: raw / divisor(w)}


def _by_constant(value: float) -> Form:
    return {"scale": lambda w, raw: raw / value}


def _of_raw(function: Callable[[Any], Any]) -> Form:
    return {"scale": lambda w, raw: function(raw)}


def _of_raw_and_width(function: Callable[[Any, int], Any]) -> Form:
    return {"scale": lambda w, raw: function(raw, w.d_k)}


def _plain(w: Work, raw: Any) -> Any:
    return raw


ROOTS = (2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 32, 50, 64, 100, 128, 256, 512, 1024)
"""Widths that people know by heart and write under the root."""

FAULTS: dict[str, list[Form]] = {
    "scale-missing": [{"scale": _plain}],
    "scale-without-root": [_by(lambda w: w.d_k)],
    "scale-multiplied": [_by(lambda w: w.d_k**-0.5), _by(lambda w: 1 / w.d_k)],
    "scale-by-token-count": [
        _by(lambda w: np.sqrt(w.n)),
        _by(lambda w: w.n),
        _by(lambda w: np.sqrt(w.n) * np.sqrt(w.d_k) ** 2),
    ],
    "scale-by-size": [
        _by(lambda w: np.sqrt(w.n * w.d_k)),
        _by(lambda w: w.n * w.d_k),
        _by(lambda w: np.sqrt(w.d_k) * w.n),
        _by(lambda w: np.sqrt(w.n + w.d_k)),
    ],
    "scale-precedence": [
        _by(lambda w: w.d_k / 2),
        _by(lambda w: 2 * w.d_k),
    ],
    "scale-fourth-root": [
        _by(lambda w: w.d_k**0.25),
        _by(lambda w: np.cbrt(w.d_k)),
        _by(lambda w: w.d_k ** (1 / 8)),
    ],
    "scale-other-function": [
        _by(lambda w: w.d_k**2),
        _by(lambda w: w.d_k**1.5),
        _by(lambda w: w.d_k**-2.0),
        _by(lambda w: np.log(w.d_k)),
        _by(lambda w: np.log2(w.d_k)),
        _by(lambda w: np.exp(w.d_k)),
        _by(lambda w: np.log(w.d_k + 1)),
    ],
    "scale-fixed": [
        *(_by_constant(c**0.5) for c in ROOTS),
        *(_by_constant(c) for c in (3, 5, 6, 7, 10, 12, 20, 50, 64, 100, 0.5, 0.25, 0.1, 0.125)),
    ],
    "scale-rounded": [
        _of_raw_and_width(lambda raw, d: raw // np.sqrt(d)),
        _by(lambda w: int(np.sqrt(w.d_k))),
        _by(lambda w: np.ceil(np.sqrt(w.d_k))),
        _by(lambda w: np.round(np.sqrt(w.d_k))),
        _by(lambda w: round(float(np.sqrt(w.d_k)), 1)),
        _by(lambda w: round(float(np.sqrt(w.d_k)), 2)),
        _by(lambda w: round(float(np.sqrt(w.d_k)), 3)),
    ],
    "scale-altered": [
        _by(lambda w: np.sqrt(w.d_k - 1)),
        _by(lambda w: np.sqrt(w.d_k + 1)),
        _by(lambda w: np.sqrt(w.d_k) + 1),
        _by(lambda w: np.sqrt(w.d_k) - 1),
        _by(lambda w: np.sqrt(w.d_k) + 1e-3),
        _by(lambda w: np.sqrt(w.d_k) + 1e-5),
        _by(lambda w: np.sqrt(w.d_k) + 1e-6),
        _by(lambda w: np.sqrt(2 * w.d_k)),
        _by(lambda w: np.sqrt(w.d_k / 2)),
        _by(lambda w: 2 * np.sqrt(w.d_k)),
        _by(lambda w: np.sqrt(w.d_k) / 2),
        _by(lambda w: np.sqrt(np.pi * w.d_k)),
        _by(lambda w: np.sqrt(3 * w.d_k)),
    ],
    "root-of-the-scores": [
        _of_raw_and_width(lambda raw, d: np.sqrt(raw / d)),
        _of_raw_and_width(lambda raw, d: np.sqrt(raw) / d),
        _of_raw_and_width(lambda raw, d: np.sqrt(raw) / np.sqrt(d)),
        _of_raw(np.sqrt),
        _of_raw_and_width(lambda raw, d: np.sqrt(np.abs(raw)) / d),
        _of_raw_and_width(lambda raw, d: np.sqrt(np.abs(raw) / d)),
    ],
    "scale-subtracted": [
        _of_raw_and_width(lambda raw, d: raw - np.sqrt(d)),
        _of_raw_and_width(lambda raw, d: raw + np.sqrt(d)),
        _of_raw_and_width(lambda raw, d: raw - d),
    ],
    "scale-by-data": [
        _of_raw(lambda raw: raw / raw.max()),
        _of_raw(lambda raw: raw / np.abs(raw).max()),
        _of_raw(lambda raw: raw / raw.max(axis=-1, keepdims=True)),
        _of_raw(lambda raw: raw / raw.sum()),
        _of_raw(lambda raw: raw / raw.sum(axis=-1, keepdims=True)),
        _of_raw(lambda raw: raw / raw.std()),
        _of_raw(lambda raw: raw / raw.std(axis=-1, keepdims=True)),
        _of_raw(lambda raw: (raw - raw.mean()) / raw.std()),
        _of_raw(lambda raw: raw / np.linalg.norm(raw)),
        _of_raw(lambda raw: raw / np.linalg.norm(raw, axis=-1, keepdims=True)),
        _of_raw(lambda raw: (raw - raw.min()) / (raw.max() - raw.min())),
        _by(lambda w: np.linalg.norm(w.K)),
        _by(lambda w: np.linalg.norm(w.Q)),
        _by(lambda w: np.linalg.norm(w.Q) * np.linalg.norm(w.K)),
        _by(lambda w: np.std(w.K)),
        _by(lambda w: np.var(w.K)),
        _by(lambda w: np.sqrt(np.sum(w.K))),
        _by(lambda w: np.sqrt(np.abs(w.K).sum())),
    ],
    "scale-full-width": [
        _by(lambda w: np.sqrt(w.d_model)),
        _by(lambda w: w.d_model),
    ],
    "scale-by-heads": [
        _by(lambda w: np.sqrt(w.heads)),
        _by(lambda w: w.heads),
        _by(lambda w: np.sqrt(w.d_k * w.heads) * np.sqrt(w.heads)),
        _by(lambda w: np.sqrt(w.d_k) * w.heads),
        _by(lambda w: np.sqrt(w.d_k) / w.heads),
    ],
    "scale-after-softmax": [
        {"scale": _plain, "after": lambda w, shares: shares / np.sqrt(w.d_k)},
        {"scale": _plain, "combine": lambda w, shares, V: shares @ V / np.sqrt(w.d_k)},
        {"after": lambda w, shares: shares / np.sqrt(w.d_k)},
        {"combine": lambda w, shares, V: shares @ V / np.sqrt(w.d_k)},
    ],
    "scale-before-bias": [
        {
            "project_q": lambda w: w.X @ w.do("weight_q") / np.sqrt(w.d_k) + w.do("bias_q"),
            "scale": _plain,
        },
        {
            "project_k": lambda w: w.X @ w.do("weight_k") / np.sqrt(w.d_k) + w.do("bias_k"),
            "scale": _plain,
        },
    ],
}

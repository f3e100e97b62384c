"""Sine and cosine positional encoding."""

from __future__ import annotations

import numpy as np


def positional_encoding(length: int, width: int) -> np.ndarray:
    """What position p = 0, 1, … adds to its token: (length, width).

    Columns 2i and 2i+1 hold sin and cos of p / 10000^(2i/width); for width 4 that is
    [sin p, cos p, sin(p/100), cos(p/100)].
    """
    if width < 2 or width % 2:
        raise ValueError("sine and cosine come in pairs: the width must be even")
    position = np.arange(length, dtype=np.float64)[:, None]  # (length, 1)
    pair = np.arange(0, width, 2) / width  # (width / 2,)
    angle = position / 10000.0**pair  # (length, width / 2)
    encoding = np.empty((length, width))
    encoding[:, 0::2] = np.sin(angle)
    encoding[:, 1::2] = np.cos(angle)
    return encoding

"""Charts as SVG to put into a page: drawn by matplotlib, coloured and set by the page's styles.

The same figures give the same bytes: no date, no random ids. A colour below is a stand-in that
becomes a CSS variable, so that a chart follows the page into the dark and onto paper.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import matplotlib as mpl
import numpy as np
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from grader.report.labels import Point, place_labels

INK, QUIET, LINE, FIRST, SECOND, PAPER = (
    "#010203",
    "#040506",
    "#070809",
    "#0a0b0c",
    "#0d0e0f",
    "#f1f2f3",
)
VARIABLES = {
    INK: "var(--ink)",
    QUIET: "var(--quiet)",
    LINE: "var(--line)",
    FIRST: "var(--first)",
    SECOND: "var(--second)",
    PAPER: "var(--paper)",
}
STYLE: Any = {
    "svg.fonttype": "none",  # text stays text: it can be read aloud, searched and set by the page
    "svg.hashsalt": "report",
    "text.parse_math": False,  # a $ in a title is a $
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": LINE,
    "axes.labelcolor": QUIET,
    "axes.labelsize": 10,
    "axes.facecolor": "none",
    "axes.axisbelow": True,
    "figure.facecolor": "none",
    "hatch.color": SECOND,
    "hatch.linewidth": 1.0,
    "text.color": INK,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "xtick.major.size": 3,
    "ytick.major.size": 0,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 10,
}
WIDTH = (
    5.2  # inches, at 72 units each: as wide as a phone's screen, so that text needs no magnifier
)


@dataclass(frozen=True)
class Series:
    """One run's figures in a chart; the second of two is drawn hatched, not by colour alone."""

    label: str
    values: Sequence[float]


LOOKS: tuple[dict[str, Any], dict[str, Any]] = (
    {"facecolor": FIRST, "edgecolor": FIRST, "linewidth": 0.8},
    {"facecolor": PAPER, "edgecolor": SECOND, "linewidth": 0.8, "hatch": "////"},
)


def histogram(
    name: str,
    title: str,
    description: str,
    bounds: Sequence[float],
    series: Sequence[Series],
    axes_titles: tuple[str, str],
    percent: bool = False,
) -> Markup:
    """Bars over bins, side by side for two series; each bar has its number on top."""
    with mpl.rc_context(STYLE):
        figure, axes = _figure(2.5)
        places = np.arange(len(bounds) - 1)
        width = 0.86 / len(series)
        for number, (one, look) in enumerate(zip(series, LOOKS, strict=False)):
            offset = (number - (len(series) - 1) / 2) * width
            bars = axes.bar(places + offset, one.values, width, label=one.label, **look)
            labels = [f"{v:.0f}" if v else "" for v in one.values]
            axes.bar_label(bars, labels, padding=2, fontsize=9 if len(series) == 1 else 7)
        axes.set_xticks(np.arange(len(bounds)) - 0.5, [f"{b:g}" for b in np.round(bounds, 2)])
        axes.set_ylim(0, max(1, *(max(one.values, default=0) for one in series)) * 1.12)
        axes.set_xlabel(axes_titles[0])
        axes.set_ylabel(axes_titles[1] + (", %" if percent else ""))
        axes.yaxis.set_major_locator(mpl.ticker.MaxNLocator(5, integer=True))
        axes.grid(axis="y")
        _legend(axes, series)
        return _svg(figure, name, title, description)


def bars(
    name: str,
    title: str,
    description: str,
    labels: Sequence[str],
    series: Sequence[Series],
    most: float,
    unit: str = "",
) -> Markup:
    """A horizontal bar a row, its label above it and its number behind it."""
    label_height, bar_height, gap = 0.2, 0.15, 0.06  # inches
    pitch = label_height + bar_height * len(series) + gap
    with mpl.rc_context(STYLE):
        height = pitch * len(labels)
        figure, axes = _figure(height + 0.1 + 0.3 * (len(series) > 1))
        tops = np.arange(len(labels)) * pitch
        for number, (one, look) in enumerate(zip(series, LOOKS, strict=False)):
            places = tops + label_height + bar_height * (number + 0.5)
            values = [0 if np.isnan(v) else v for v in one.values]
            thick = bar_height * 0.9
            axes.barh(places, [most] * len(labels), thick, color="none", edgecolor=LINE)
            axes.barh(places, values, thick, label=one.label, **look)
            for place, value in zip(places, one.values, strict=True):
                text = "–" if np.isnan(value) else f"{value:.0f}{unit}"
                axes.text(most * 1.015, place, text, va="center", fontsize=9)
        for top, label in zip(tops, labels, strict=True):
            axes.text(0, top + label_height * 0.78, label, va="baseline", fontsize=10)
        axes.set_xlim(0, most * 1.1)
        axes.set_ylim(height, 0)
        axes.set_axis_off()
        _legend(axes, series)
        return _svg(figure, name, title, description)


def scatter(
    name: str,
    title: str,
    description: str,
    points: Sequence[Point],
    axes_titles: tuple[str, str],
    floor: float,
) -> Markup:
    """Numbered points; those below `floor` are hollow. The first axis is a share."""
    with mpl.rc_context(STYLE):
        figure, axes = _figure(4.0)
        low = min([0.0, *(p.y for p in points)])
        axes.axhline(floor, color=QUIET, linewidth=0.8, linestyle=(0, (4, 3)))
        for p in points:
            face = FIRST if p.y >= floor else PAPER
            axes.plot(p.x, p.y, "o", markersize=5, markerfacecolor=face, markeredgecolor=FIRST)
        axes.set_xlim(-0.03, 1.08)
        axes.set_ylim(low - 0.08, 1.05)
        for label, p, shift in place_labels(points, (300, 240 / (1.13 - low))):
            axes.annotate(
                label, (p.x, p.y), shift, textcoords="offset points", fontsize=8, va="center"
            )
        axes.xaxis.set_major_formatter(mpl.ticker.PercentFormatter(1.0, 0))
        axes.set_xlabel(axes_titles[0])
        axes.set_ylabel(axes_titles[1])
        axes.grid()
        return _svg(figure, name, title, description)


def _figure(height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    FigureCanvasSVG(figure)
    return figure, figure.add_subplot()


def _legend(axes: Axes, series: Sequence[Series]) -> None:
    if len(series) > 1:
        axes.figure.legend(loc="outside upper left", ncols=2)


def _svg(figure: Figure, name: str, title: str, description: str) -> Markup:
    """The figure as an `<svg>` with a title and a description, its ids made unique by `name`."""
    stream = io.StringIO()
    none = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(stream, format="svg", metadata=none)
    drawn = stream.getvalue()
    drawn = drawn[drawn.index("<svg") :]
    drawn = re.sub(r"<(metadata|style)\b.*?</\1>\s*", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r'\bid="', f'id="{name}-', drawn)
    drawn = re.sub(r"(url\(|href=\")#", rf"\1#{name}-", drawn)
    drawn = re.sub(r"font-family: [^;\"]*;?", "", drawn)
    drawn = re.sub(r"font: ([\d.]+px) [^;\"]*", r"font-size: \1", drawn)
    for colour, variable in VARIABLES.items():
        drawn = drawn.replace(colour, variable)
    head = re.match(r"<svg[^>]*?viewBox=\"([^\"]+)\"[^>]*>", drawn)
    if head is None:
        raise ValueError("matplotlib wrote an SVG without a viewBox")
    start = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{head[1]}" role="img" aria-labelledby="{name}-title {name}-text">'
        f'<title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-text">{escape(description)}</desc>'
    )
    return Markup(start + drawn[head.end() :])

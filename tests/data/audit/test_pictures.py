from __future__ import annotations

import pytest

from selfhint.data.audit.pictures import drawn, in_solution, linked, missing

DRAWN = ["[asy]draw((0,0)--(1,1));[/asy]", r"\begin{tikzpicture}", "<svg width='1'>"]
LINKED = ["![figure](https://x/y.png)", r"\includegraphics[width=3cm]{a}", "<img src='a'>", "see <img_3697>"]
MISSING = [
    "See the figure.",
    "In the diagram below, find x.",
    "arcs, as shown. Find the sum",
    "The graph is shown on the right.",
    "around the sun (Fig. 13.20)",
    "the molecules pictured",
    "depicted in the chart",
]
NONE = [
    "Tom took five pictures of his map.",
    "From the figures, the cost is 5 dollars.",
    "Round to two significant figures.",
    "Solve the figure-eight puzzle",
    "The table is shown below:\n| a | b |\n| 1 | 2 |",
    r"Shown below are rows 1 and 2: \begin{array}{cc} 1 & 2 \end{array}",
    "an image of f under the map g",
    "![" * 60_000,
    "What?" + "\n" * 60_000,
]


@pytest.mark.parametrize("text", DRAWN)
def test_drawn(text):
    assert drawn(text)
    assert missing(f"{text} in the figure below") is None


@pytest.mark.parametrize("text", LINKED)
def test_linked(text):
    assert linked(text)
    assert not drawn(text)
    assert missing(f"{text} in the figure below") is None


@pytest.mark.parametrize("text", MISSING)
def test_spoken_of(text):
    assert missing(text)
    assert in_solution(text) is None


@pytest.mark.parametrize("text", NONE, ids=lambda text: text[:20])
def test_no_picture(text):
    assert (drawn(text), linked(text), missing(text)) == (None, None, None)

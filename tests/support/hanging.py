"""Pairs on which a comparison without a time limit computes for hours, or fills the memory."""

from __future__ import annotations

HANGING = [
    ("2", r"\boxed{99999999!}"),
    ("x+1", r"\boxed{\binom{10^{8}}{5 \cdot 10^{7}}}"),
    ("0", r"\boxed{9^{9^{9^{9^{9}}}}}"),
    ("12", r"\boxed{7^{77777777777}}"),
    (r"\frac{1}{2}", r"\boxed{\sum_{k=1}^{10^{12}} \frac{1}{k^{3}+1}}"),
    ("x", r"\boxed{(x+y+z+1)^{99999}}"),
    ("x+1", r"\boxed{\int \frac{\sqrt{x^7+3x+1}}{\sin(x)+\cos(x^2)} dx}"),
]
"""(gold, prediction); none is right."""
EASY = [
    ("2", r"\boxed{1+1}", True),
    (r"\frac{1}{2}", r"\boxed{0.5}", True),
    ("2", r"\boxed{1+2}", False),
]
"""(gold, prediction, whether it is right)."""


def mixed() -> tuple[list[str], list[str], list[bool]]:
    """Golds, predictions, and what is right: a pair that hangs between two that do not."""
    golds, predictions, right = [], [], []
    for i, (gold, prediction) in enumerate(HANGING):
        for row in (EASY[i % len(EASY)], (gold, prediction, False), EASY[(i + 1) % len(EASY)]):
            for column, value in zip((golds, predictions, right), row, strict=True):
                column.append(value)
    return golds, predictions, right

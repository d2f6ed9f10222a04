"""The final answer of a reference solution."""

from __future__ import annotations

MARK = "####"
"""GSM8K's sign before the answer."""


def final_answer(solution: str) -> str:
    """What a verifier should judge: what follows the last `####` at the beginning of a line, else the whole solution,
    in which it looks for a box.
    """
    before, mark, answer = solution.rpartition(MARK)
    begins_line = not before.strip(" \t") or before.rstrip(" \t").endswith("\n")
    return answer.strip() if mark and begins_line and answer.strip() else solution

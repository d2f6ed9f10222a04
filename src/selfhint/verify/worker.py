"""The worker process of the math verifier: one request in, one reply out, until the other end is closed.

Only this module loads math-verify. It never prints a parsed expression: turning one into text can take for ever.
"""

from __future__ import annotations

import json
import logging
import re
import resource
import signal
import sys
from multiprocessing.connection import Connection
from typing import Any

from math_verify import parse, verify

from selfhint.verify.reasons import GOLD_UNREADABLE, MATCH, MISMATCH, NO_ANSWER
from selfhint.verify.text import has_delimiter

MEMORY_LIMIT = 4 << 30
"""Bytes of address space, so that one expression cannot take the machine down."""
ORPHAN_SECONDS = 2.0
"""The parent kills a worker at an item's limit. Where no parent is left, the kernel does so this much later."""
MAX_LINE = 200
"""Characters of a line that may be read as an answer by itself."""

_COMMAND = re.compile(r"\\(?:text|textbf|mathrm|operatorname|begin|end)\s*\{[^{}]*\}|\\[a-zA-Z]+")
_WORD = re.compile(r"[a-zA-Z]{3}")
_ELLIPSIS = re.compile(r"\\[cdlv]?dots|\.\.\.|…")

Parsed = list[Any]
"""What math-verify read: an expression, where it could, and the text it came from."""


def read_answer(text: str) -> Parsed:
    """An answer that stands by itself: bare maths is wrapped, since math-verify reads little of it otherwise.

    One with an ellipsis stays text: math-verify would read a part of it, so that 1, 2, …, n equals 1, 2, …, 2n.
    """
    if _ELLIPSIS.search(text):
        return [text]
    return _parse(text if has_delimiter(text) else f"${' '.join(text.split())}$")


def read_text(text: str) -> Parsed:
    """A text without a box: itself where it is a short line without words, else what math-verify finds in it."""
    if len(text) <= MAX_LINE and "\n" not in text and not _WORD.search(_COMMAND.sub("", text)):
        answer = read_answer(text)
        if _has_expression(answer):
            return answer
    return _parse(text)


def _parse(text: str) -> Parsed:
    # math-verify's own time limit needs signals and scores 0 where they are missing; the parent's limit replaces it.
    parsed: Parsed = parse(text, parsing_timeout=None)
    return parsed


def _has_expression(parsed: Parsed) -> bool:
    return any(not isinstance(item, str) for item in parsed)


def verdict(gold: str, answer: str | None, whole: bool) -> tuple[str, str | None]:
    """The reason of a verdict, and the answer as the prediction spells it.

    A gold that math-verify cannot turn into an expression can be matched as text, but nothing else is known of it.
    """
    expected = read_answer(gold)
    found = [] if answer is None else read_answer(answer) if whole else read_text(answer)
    spelt = answer if whole else next((item for item in found if isinstance(item, str)), None)
    if found and verify(expected, found, allow_set_relation_comp=True, timeout_seconds=None):
        return MATCH, spelt
    if not _has_expression(expected):
        return GOLD_UNREADABLE, spelt
    return (MISMATCH if found else NO_ANSWER), spelt


def main() -> None:
    """Serves requests {gold, answer, whole, limit} with replies {reason, extracted}."""
    connection = Connection(int(sys.argv[1]))
    if sys.platform == "linux":
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = MEMORY_LIMIT if hard == resource.RLIM_INFINITY else min(MEMORY_LIMIT, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    logging.disable(logging.CRITICAL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    while True:
        try:
            request = json.loads(connection.recv_bytes())
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_REAL, request["limit"] + ORPHAN_SECONDS)
        reason, extracted = verdict(request["gold"], request["answer"], request["whole"])
        signal.setitimer(signal.ITIMER_REAL, 0)
        try:
            connection.send_bytes(json.dumps({"reason": reason, "extracted": extracted}).encode())
        except BrokenPipeError:
            return


if __name__ == "__main__":
    main()

"""Mathematical answers, judged by math-verify in a worker process."""

from __future__ import annotations

import atexit
import math
import os
import re
import threading
import time
from collections.abc import Sequence
from weakref import WeakSet

from selfhint.core.errors import InputError, RunError
from selfhint.core.group import Verdict
from selfhint.verify.boxed import last_boxed
from selfhint.verify.process import WorkerLostError, WorkerProcess
from selfhint.verify.reasons import CORRECT, GOLD_UNREADABLE, MATCH, MISMATCH
from selfhint.verify.text import as_text, normalised, undelimited

MAX_ANSWER = 1000
"""Characters. A longer gold or boxed answer is compared as text only: parsing could take for ever."""
MAX_TEXT = 4000
"""Characters. Of a text without a box no more than its end is searched for an answer."""
START_SECONDS = 120.0
"""How long a worker may take to start, on a slow disk too."""

_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_CANARY = (
    ({"gold": r"\frac{1}{2}", "answer": "so the answer is $0.5$", "whole": False}, MATCH),
    ({"gold": "3", "answer": "4", "whole": True}, MISMATCH),
)


class MathVerifier:
    r"""Compares the last \boxed{…} of a prediction, or what math-verify finds in it, with the gold answer.

    Equal text is correct and different plain integers are not; neither needs a worker. Everything else goes to one
    worker process, started when first needed, killed and started again when an item exceeds its time limit. Any
    thread may call any method; after a fork the child starts a worker of its own.

    Args:
        time_limit: seconds for one pair; the time a worker needs to start does not count.

    Raises:
        InputError: the time limit is no positive number.
    """

    name = "math"

    def __init__(self, time_limit: float = 5.0) -> None:
        if not 0 < time_limit < math.inf:
            raise InputError(f"verifier math: time limit {time_limit} is no positive number; set verifier.time_limit")
        self.time_limit = time_limit
        self._worker: WorkerProcess | None = None
        self._lock = threading.Lock()
        _live.add(self)

    def judge(self, golds: Sequence[object], predictions: Sequence[str]) -> list[Verdict]:
        """Verdicts in order.

        Raises:
            RunError: the worker cannot be started, or gives wrong verdicts on a known pair.
        """
        return [self._judge(as_text(g), p) for g, p in zip(golds, predictions, strict=True)]

    def _judge(self, gold: str, prediction: str) -> Verdict:
        box = last_boxed(prediction)
        text = prediction.strip() if box is None else box
        answer = undelimited(text)
        gold = undelimited(last_boxed(gold) or gold)
        if gold and normalised(gold) == normalised(answer):
            return Verdict.of(True, extracted=answer, reason=MATCH)
        if _INTEGER.fullmatch(gold) and _INTEGER.fullmatch(answer):
            return Verdict.of(False, extracted=answer, reason=MISMATCH)
        if not gold or len(gold) > MAX_ANSWER:
            return Verdict.of(None, reason=GOLD_UNREADABLE)
        if box is None and answer == text:
            return self._ask(gold, answer[-MAX_TEXT:], whole=False)
        return self._ask(gold, answer if len(answer) <= MAX_ANSWER else None, whole=True)

    def _ask(self, gold: str, answer: str | None, whole: bool) -> Verdict:
        """The worker's verdict on an answer that stands by itself (`whole`), or on a text that may hold one."""
        request = {"gold": gold, "answer": answer, "whole": whole, "limit": self.time_limit}
        with self._lock:
            if self._worker is None or not self._worker.alive:
                self._stop()
                self._worker = _started_worker()
            began = time.perf_counter()
            try:
                reply = self._worker.ask(request, self.time_limit)
            except WorkerLostError as lost:
                reply = {"reason": str(lost), "extracted": answer if whole else None}
            seconds = time.perf_counter() - began
        reason = reply["reason"]
        return Verdict.of(CORRECT[reason], extracted=reply["extracted"], reason=reason, seconds=seconds)

    def close(self) -> None:
        """Ends the worker; a later `judge` starts another one."""
        with self._lock:
            self._stop()

    def _stop(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker = None

    def _forget_parent(self) -> None:
        self._lock = threading.Lock()  # a thread that no longer exists may hold the copied one
        if self._worker is not None:
            self._worker.disown()
            self._worker = None


def _started_worker() -> WorkerProcess:
    """A worker that has proved itself: math-verify has been seen to score everything 0 without a word."""
    worker = WorkerProcess("selfhint.verify.worker")
    try:
        reasons = [worker.ask({**pair, "limit": START_SECONDS}, START_SECONDS)["reason"] for pair, _ in _CANARY]
    except WorkerLostError as lost:
        raise RunError(f"verifier math: its worker process {lost} while starting; see its error output above") from lost
    expected = [reason for _, reason in _CANARY]
    if reasons != expected:
        worker.kill()
        raise RunError(f"verifier math is broken: a right and a wrong pair gave {reasons}; check math-verify's version")
    return worker


_live: WeakSet[MathVerifier] = WeakSet()


def _close_all() -> None:
    for verifier in list(_live):
        verifier.close()


def _forget_parents() -> None:
    for verifier in list(_live):
        verifier._forget_parent()


atexit.register(_close_all)
os.register_at_fork(after_in_child=_forget_parents)

"""SIGINT, SIGTERM and SIGHUP as an exception, wherever a checkpoint is not what they ask for.

That is in preparing data, warm-up, loading and generating.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """The user or the system asked the process to end. Like KeyboardInterrupt, it is no error.

    Args:
        number: the signal.
        lost: what the user should know of the work until then.
    """

    def __init__(self, number: signal.Signals, lost: str = "") -> None:
        super().__init__(f"stopped by {number.name}" + (f"; {lost}" if lost else ""))
        self.number = number
        self.exit_code = 128 + number
        """What a shell reports of a process that this signal ended."""


@contextmanager
def signals_raise() -> Iterator[None]:
    """Inside, these signals raise `Stopped`. One that the parent process had ignored, as nohup does, stays ignored."""
    usual = {number: signal.getsignal(number) for number in SIGNALS}
    for number, handler in usual.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _raise)
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    raise Stopped(signal.Signals(number))

"""Functions that a pool's processes run in place of a training."""

from __future__ import annotations

import os
import signal
import sys
import time

from selfhint.core.errors import InputError


def by_method(run):
    """Does what the run's method is named after, and leaves a trace of when it ran."""
    (run.folder.parent / f"began-{run.seed}").write_text(repr(time.time()))
    print(f"{run.label} runs in {os.getcwd()} with {os.environ['FOR_THE_RUN']}")
    print("to standard error", file=sys.stderr)
    if run.method == "refused":
        raise InputError("lr: -1 is not allowed;\nset it above 0")
    if run.method == "broken":
        raise ZeroDivisionError("a bug")
    if run.method == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if run.method == "waits":
        time.sleep(600)
    time.sleep(0.2)
    (run.folder.parent / f"ended-{run.seed}").write_text(repr(time.time()))

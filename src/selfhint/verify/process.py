"""A worker process that can be killed: a fresh interpreter, asked over a socket in length-prefixed JSON.

It is no `multiprocessing.Process`: fork copies CUDA contexts and locks, and spawn runs the user's script again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from multiprocessing import Pipe
from typing import Any

from selfhint.verify.reasons import CRASHED, TIMED_OUT


class WorkerLostError(Exception):
    """The worker is gone, and with it the answer. The message is the reason: timed out or crashed."""


class WorkerProcess:
    """The parent's side of one worker. POSIX only. Only `end` may be called by another thread than the one that asks.

    The worker ends when its end of the socket is closed, so it does not outlive this process. It has a session of
    its own: a Ctrl-C or a SIGTERM to the process group does not hit it while the run writes its checkpoint.

    Args:
        module: run as `python -m module FD`; reads requests from that file descriptor and writes replies to it.
    """

    def __init__(self, module: str) -> None:
        self._connection, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-W", "ignore", "-m", module, str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """Process id of the worker."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the worker runs."""
        return self._process.poll() is None

    def ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The reply to `request`.

        Raises:
            WorkerLostError: no reply within `seconds`, or the worker died. It is dead afterwards.
        """
        try:
            self._connection.send_bytes(json.dumps(request).encode())
            if not self._connection.poll(seconds):
                raise WorkerLostError(TIMED_OUT)
            reply: dict[str, Any] = json.loads(self._connection.recv_bytes())
        except (EOFError, OSError) as error:
            self.kill()
            raise WorkerLostError(CRASHED) from error
        except BaseException:
            # Also when interrupted from outside: a reply left in the socket would be taken for the next one's.
            self.kill()
            raise
        return reply

    def end(self) -> None:
        """Ends the worker, so that who asks it finds it lost; `kill` has still to be called."""
        self._process.kill()

    def kill(self) -> None:
        """Ends the worker at once and releases what belongs to it. Safe to call twice."""
        self._process.kill()
        self._process.wait()
        self._connection.close()

    def disown(self) -> None:
        """In a forked child: drops the copies of what belongs to the parent, without touching the worker."""
        self._connection.close()
        self._process.returncode = 0  # it is no child of this process, so Popen must not wait for it

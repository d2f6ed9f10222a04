"""The worker process: one request in, one reply out, until the other end is closed."""

from __future__ import annotations

import importlib
import json
import logging
import resource
import signal
import sys
from multiprocessing.connection import Connection
from typing import Any

from selfhint.verify.judges.function import crashed

MEMORY_LIMIT = 4 << 30
"""Bytes of address space, so that one expression cannot take the machine down."""
ORPHAN_SECONDS = 2.0
"""The parent kills a worker at an item's limit. Where no parent is left, the kernel does so this much later."""

JUDGES = {
    "math": "selfhint.verify.judges.math",
    "numeric": "selfhint.verify.judges.numeric",
    "values": "selfhint.verify.judges.values",
    "reasoning_gym": "selfhint.verify.judges.reasoning_gym",
    "function": "selfhint.verify.judges.function",
}
"""A request's kind → the module whose `judge` makes the reply; loaded when first asked."""


def reply_to(request: dict[str, Any]) -> dict[str, Any]:
    """The reply {reason, extracted} to a request."""
    reply: dict[str, Any] = importlib.import_module(JUDGES[request["kind"]]).judge(request)
    return reply


def main() -> None:
    """Serves requests {kind, limit, …} until the connection is closed."""
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
        try:
            reply = reply_to(request)
        except Exception as error:  # a comparison that fails costs its own verdict and no restart
            reply = crashed(error, request.get("extracted"))
        signal.setitimer(signal.ITIMER_REAL, 0)
        try:
            connection.send_bytes(json.dumps(reply).encode())
        except BrokenPipeError:
            return


if __name__ == "__main__":
    main()

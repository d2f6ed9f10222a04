"""A server that speaks OpenAI's chat completions and fails on command."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-secret-0123456789"
"""What tests put into the key's environment variable: it may turn up nowhere."""


@dataclass
class Reply:
    """One answer of the server.

    Args:
        status: HTTP status.
        body: what is sent; a dict as JSON.
        headers: beside the usual ones.
        wait: set by the test when the answer may go out; None: at once.
        cut: the connection ends in the middle of the body.
    """

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    wait: threading.Event | None = None
    cut: bool = False


def answer(text: str | None, finish: str = "stop", tokens: int = 30) -> Reply:
    message = {"role": "assistant", "content": text}
    choices = [{"index": 0, "message": message, "finish_reason": finish}]
    usage = {"prompt_tokens": 10, "completion_tokens": tokens - 10, "total_tokens": tokens}
    body = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": choices, "usage": usage}
    return Reply(body=body)


def error(status: int, message: str = "no", **headers: str) -> Reply:
    return Reply(status, {"error": {"message": message, "type": "error"}}, dict(headers))


@dataclass
class FakeTeacher:
    """A running server.

    Args:
        url: what goes into teacher.base_url.
        asked: the requests' bodies in the order in which they came, with the authorization header as `key`.
        most_at_once: how many requests were under way together.
    """

    url: str
    asked: list[dict[str, Any]]
    most_at_once: int = 0


@contextmanager
def served(play: Callable[[dict[str, Any], int], Reply]) -> Iterator[FakeTeacher]:
    """Serves `play(request, number of requests before it)`."""
    lock, under_way = threading.Lock(), [0]

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                number = len(teacher.asked)
                teacher.asked.append({**request, "key": self.headers["Authorization"], "path": self.path})
                under_way[0] += 1
                teacher.most_at_once = max(teacher.most_at_once, under_way[0])
            try:
                self._send(play(request, number))
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client gave up waiting
            finally:
                with lock:
                    under_way[0] -= 1

        def _send(self, reply: Reply) -> None:
            if reply.wait is not None:
                reply.wait.wait(30)
            body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **reply.headers}
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if reply.cut else body)
            if reply.cut:
                self.close_connection = True

        def log_message(self, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 64

    server = Server(("127.0.0.1", 0), Handler)
    teacher = FakeTeacher(f"http://127.0.0.1:{server.server_port}/v1", [])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield teacher
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

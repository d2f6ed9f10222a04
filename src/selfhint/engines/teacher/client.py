"""Asks a teacher through the official OpenAI client, which retries with back-off; what fails becomes a refused hint."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import logging
import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selfhint.config.settings import TeacherSettings
from selfhint.core.errors import InputError
from selfhint.core.group import Completion
from selfhint.core.ports import Sample
from selfhint.core.prompt import Prompt
from selfhint.engines.teacher.cache import Answer, AnswerCache
from selfhint.hints.source_reasons import (
    TEACHER_GARBAGE,
    TEACHER_LIMIT,
    TEACHER_REFUSED,
    TEACHER_TRUNCATED,
    TEACHER_UNREACHABLE,
)

if TYPE_CHECKING:
    from openai import APIStatusError

logger = logging.getLogger(__name__)

OPENAI_URL = "https://api.openai.com/v1"
NO_KEY = "none"
"""Sent to a server that asks for no key; the client insists on one."""
WORTH_REPEATING = (408, 409, 429)
"""Besides 500 and above: the status codes that the client asks again after."""
NEVER_MENDED = (401, 403, 404)
"""A wrong key, address or model: when the first answer of a run is one of these, no other can be better."""
CHARACTERS_PER_TOKEN = 4
"""For servers that do not say how many tokens an answer took."""


class Teacher:
    """A model behind an OpenAI-compatible endpoint. Safe to use from several threads.

    Faults do not raise: the completion says what is missing. Each cause is logged once as a warning. Once a request
    failed through all its repetitions the teacher counts as silent until one is answered: meanwhile one request at a
    time is sent, once, and the others are left out, so that a step does not wait for each of them.

    Args:
        settings: the recipe's group `teacher`.
        max_tokens: limit of an answer, in tokens.
        cache: where answers are kept.
        num_shares: how many processes share the limits; each gets this part of them.

    Raises:
        InputError: the client is not installed, no model is named, the key's environment variable is not set, or the
            cache cannot be used.
    """

    def __init__(self, settings: TeacherSettings, max_tokens: int, cache: Path, num_shares: int = 1) -> None:
        if importlib.util.find_spec("openai") is None:
            raise InputError("hints.source=teacher needs the OpenAI client: pip install 'selfhint[teacher]'")
        from openai import OpenAI

        self._settings = settings
        self._max_tokens = max_tokens
        self._key = _read_key(settings.api_key_env)
        self._client = OpenAI(
            api_key=self._key or NO_KEY,
            base_url=settings.base_url or OPENAI_URL,
            timeout=settings.timeout,
            max_retries=settings.retries,
        )
        self._cache = AnswerCache(Path(settings.cache) if settings.cache else cache)
        self._lock = threading.RLock()
        self._max_requests = _share(settings.max_requests, num_shares)
        self._max_tokens_total = _share(settings.max_tokens_total, num_shares)
        # Of this run before it was resumed; a file of several runs does not tell which of them asked.
        self._num_requests = -(-len(self._cache) // num_shares)
        self._num_tokens = -(-self._cache.tokens // num_shares)
        self._sent: set[str] = set()
        self._known: set[str] = set()
        self._threads = ThreadPoolExecutor(max(1, settings.concurrency // num_shares), "teacher")
        self._under_way: dict[str, Future[Completion]] = {}
        self._was_heard = False
        self._is_silent = False
        self._is_tried = False
        self._told: set[str] = set()

    def ask(self, request: Sample) -> Future[Completion]:
        """The teacher's answer to one request, whose `num` is 1, when it is there.

        The future raises InputError where nothing will ever work.
        """
        id = self._id(request)
        with self._lock:
            if id in self._under_way:
                return self._under_way[id]
            done: Future[Completion] = Future()
            if (known := self._cache.get(id)) is not None:
                done.set_result(_completion(known))
                if id not in self._sent:
                    self._known.add(id)
                return done
            self._under_way[id] = self._threads.submit(self._ask, id, request.prompt)
            return self._under_way[id]

    def close(self) -> None:
        """Drops the requests that have not begun, and says how many answers were there before. Safe to call twice."""
        if self._known:
            logger.warning(
                "teacher: %d answers were in %s already, %d requests were sent",
                len(self._known),
                self._cache.path,
                len(self._sent),
            )
            self._known.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._client.close()

    def _id(self, request: Sample) -> str:
        """A hash of everything that shapes the answer."""
        settings = self._settings
        identity = (settings.model, settings.temperature, self._max_tokens, _messages(request.prompt), request.attempt)
        return hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:32]

    def _ask(self, id: str, prompt: Prompt) -> Completion:
        is_trial = False
        try:
            with self._lock:
                if limit := self._limit_reached():
                    return self._missing(TEACHER_LIMIT, limit)
                if self._is_silent and self._is_tried:
                    return self._missing(TEACHER_UNREACHABLE, "left out while it is silent")
                is_trial = self._is_tried = self._is_silent
                self._num_requests += 1
                self._sent.add(id)
            return self._take(id, prompt, self._send(prompt, repeats=not is_trial))
        finally:
            with self._lock:
                del self._under_way[id]
                if is_trial:
                    self._is_tried = False

    def _limit_reached(self) -> str | None:
        shared = f", with what teacher.cache={self._settings.cache} held before" if self._settings.cache else ""
        for name, limit, spent in (
            ("max_requests", self._max_requests, self._num_requests),
            ("max_tokens_total", self._max_tokens_total, self._num_tokens),
        ):
            if limit is not None and spent >= limit:
                return f"teacher.{name}={getattr(self._settings, name)} is reached{shared}"
        return None

    def _send(self, prompt: Prompt, repeats: bool) -> Any:
        """The client's reply, or why there is none: (reason, cause, details)."""
        import openai

        client = self._client if repeats else self._client.with_options(max_retries=0)
        # OpenAI's newer models refuse max_tokens; many other servers know nothing else.
        is_openai = self._settings.is_openai
        try:
            reply = client.chat.completions.create(
                model=self._settings.model or "",
                messages=_messages(prompt),
                max_completion_tokens=self._max_tokens if is_openai else openai.omit,
                max_tokens=openai.omit if is_openai else self._max_tokens,
                temperature=openai.omit if self._settings.temperature is None else self._settings.temperature,
            )
        except openai.APIStatusError as error:
            return self._status_fault(error)
        except openai.APIConnectionError as error:
            self._is_silent = True
            why = error.__cause__ or error
            return TEACHER_UNREACHABLE, type(why).__name__, self._line(why)
        except (openai.OpenAIError, ValueError) as error:
            return TEACHER_GARBAGE, "not an answer", type(error).__name__
        return reply

    def _status_fault(self, error: APIStatusError) -> tuple[str, str, str]:
        status = error.status_code
        cause, details = f"status {status}", self._line(error)
        if status >= 500 or status in WORTH_REPEATING:
            self._is_silent = True
            return TEACHER_UNREACHABLE, cause, details
        self._is_silent = False
        if status in NEVER_MENDED and not self._was_heard:
            raise InputError(
                f"teacher {self._settings.model} at {self._settings.base_url or OPENAI_URL}: {cause} ({details}); "
                "correct teacher.model, teacher.base_url or the key in the variable that teacher.api_key_env names"
            ) from None
        return TEACHER_REFUSED, cause, details

    def _take(self, id: str, prompt: Prompt, reply: Any) -> Completion:
        if isinstance(reply, tuple):
            return self._missing(*reply)
        self._is_silent = False
        answer = _answer(reply, prompt, self._max_tokens)
        if answer is None:
            self._count_lost(id, reply)
            return self._missing(TEACHER_GARBAGE, "no choice with a text in it")
        with self._lock:
            self._was_heard = True
            self._num_tokens += answer.tokens
            self._cache.add(id, answer)
        if answer.truncated:
            self._note(TEACHER_TRUNCATED, f"longer than hints.max_tokens={self._max_tokens}")
        return _completion(answer)

    def _count_lost(self, id: str, reply: Any) -> None:
        """A reply without an answer is paid for all the same."""
        if tokens := _tokens_said(reply):
            with self._lock:
                self._num_tokens += tokens
                self._cache.add_lost(id, tokens)

    def _missing(self, reason: str, cause: str, details: str = "") -> Completion:
        self._note(reason, cause, details)
        return Completion("", 0, missing=reason)

    def _note(self, reason: str, cause: str, details: str = "") -> None:
        """Logs a fault the first time; the run counts the hints that are missing."""
        told = f"{reason}: {cause}"
        with self._lock:
            is_new = told not in self._told
            self._told.add(told)
        if is_new:
            told = f"{told} ({details})" if details else told
            logger.warning("teacher %s: %s; the run goes on without these hints", self._settings.model, told)

    def _line(self, error: BaseException) -> str:
        """The error's text in one line of at most 200 characters, the key masked before anything is cut."""
        text = " ".join(str(error).split())
        if self._key:
            text = text.replace(self._key, "***")
        return (text if len(text) <= 200 else f"{text[:197]}...") or type(error).__name__


def _read_key(variable: str | None) -> str | None:
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise InputError(
            f"teacher.api_key_env={variable}: this environment variable is not set; put the teacher's key into it"
        )
    if not (key.isascii() and key.isprintable()) or " " in key:  # it would stand in the fault of the HTTP library
        raise InputError(
            f"teacher.api_key_env={variable}: the key in this environment variable has blanks, line ends or other "
            "signs that no key has; put the bare key into it"
        )
    return key


def _share(limit: int | None, num_shares: int) -> int | None:
    return None if limit is None else limit // num_shares


def _messages(prompt: Prompt) -> list[Any]:
    return [{"role": "user", "content": prompt}] if isinstance(prompt, str) else [dict(m) for m in prompt]


def _completion(answer: Answer) -> Completion:
    return Completion(answer.text, 0, missing=TEACHER_TRUNCATED if answer.truncated else None)


def _answer(reply: Any, prompt: Prompt, max_tokens: int) -> Answer | None:
    """The first choice. The client checks nothing of what a server sends; a field may be missing or of any type."""
    choices = getattr(reply, "choices", None)
    if not isinstance(choices, list) or not choices:
        return None
    text = getattr(getattr(choices[0], "message", None), "content", None)
    truncated = getattr(choices[0], "finish_reason", None) == "length"
    if not isinstance(text, str):
        if not truncated:
            return None
        text = ""  # a reasoning model that was cut off inside its thoughts
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    tokens = _tokens_said(reply)
    if tokens is None:
        written = max_tokens if truncated else len(text) // CHARACTERS_PER_TOKEN  # thoughts do not stand in the text
        tokens = len(str(_messages(prompt))) // CHARACTERS_PER_TOKEN + written
    return Answer(text, truncated, tokens)


def _tokens_said(reply: Any) -> int | None:
    """What the request and the reply took; None where the server does not say."""
    usage = getattr(reply, "usage", None)
    total, prompt, written = (getattr(usage, f"{name}_tokens", None) for name in ("total", "prompt", "completion"))
    if isinstance(total, int):
        return total
    if isinstance(written, int):
        return written + (prompt if isinstance(prompt, int) else 0)
    return None

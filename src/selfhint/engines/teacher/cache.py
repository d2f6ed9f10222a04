"""What a teacher answered, kept in a file, so that nothing is paid for twice and a resumed run gets the same hints."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from selfhint.core.errors import InputError
from selfhint.lock import take


@dataclass(frozen=True, slots=True)
class Answer:
    """A teacher's answer.

    Args:
        text: what it wrote.
        truncated: it was cut off at the token limit.
        tokens: of the request and of the answer.
    """

    text: str
    truncated: bool
    tokens: int


class AnswerCache:
    """A file of JSON lines `{"id", "text", "truncated", "tokens"}`. Several processes may share it.

    A line whose text is null is no answer, but what a reply without one took: the limits count it, and the request is
    sent again. A damaged line (the end of a killed process) is passed over.

    Args:
        path: made with the first answer.

    Raises:
        InputError: the file cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._answers: dict[str, Answer] = {}
        self._lost: list[int] = []
        self._num_read = 0
        try:
            self._read_on()
            self._try_to_write()
        except OSError as error:
            raise self._unusable(error) from error

    def __len__(self) -> int:
        """Replies, also those without an answer."""
        return len(self._answers) + len(self._lost)

    @property
    def tokens(self) -> int:
        """Tokens of all these replies together."""
        return sum(answer.tokens for answer in self._answers.values()) + sum(self._lost)

    def get(self, id: str) -> Answer | None:
        """The answer to a request; also one that another process wrote meanwhile.

        Raises:
            InputError: the file cannot be read.
        """
        if id not in self._answers:
            try:
                self._read_on()
            except OSError as error:
                raise self._unusable(error) from error
        return self._answers.get(id)

    def add(self, id: str, answer: Answer) -> None:
        """Keeps an answer.

        Raises:
            InputError: the file cannot be written.
        """
        self._answers[id] = answer
        self._append({"id": id, **asdict(answer)})

    def add_lost(self, id: str, tokens: int) -> None:
        """Keeps what a reply without an answer took.

        Raises:
            InputError: the file cannot be written.
        """
        self._append({"id": id, "text": None, "truncated": False, "tokens": tokens})

    def _append(self, values: Mapping[str, Any]) -> None:
        line = json.dumps(values) + "\n"
        try:
            with open(self.path, "a+b") as file:
                take(file, wait=True)
                file.seek(0, os.SEEK_END)
                if file.tell():
                    file.seek(-1, os.SEEK_END)
                    line = line if file.read(1) == b"\n" else f"\n{line}"
                file.write(line.encode())
        except OSError as error:
            raise self._unusable(error) from error

    def _try_to_write(self) -> None:
        """So that a wrong path is known before anything is paid for."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.path.exists():
            with open(self.path, "ab"):
                pass
        else:  # a file of our own: others may write answers into the real one meanwhile
            with NamedTemporaryFile(dir=self.path.parent, prefix=f".{self.path.name}."):
                pass

    def _read_on(self) -> None:
        """Takes in the whole lines behind those read already."""
        if not self.path.exists():
            return
        with open(self.path, "rb") as file:
            file.seek(self._num_read)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._num_read += len(line)
                self._take(line)

    def _take(self, line: bytes) -> None:
        try:
            values = json.loads(line)
            id, text, truncated, tokens = (values[name] for name in ("id", "text", "truncated", "tokens"))
        except (ValueError, KeyError, TypeError):
            return
        if not isinstance(id, str) or not isinstance(tokens, int):
            return
        if isinstance(text, str):
            self._answers.setdefault(id, Answer(text, truncated, tokens))
        elif text is None:
            self._lost.append(tokens)

    def _unusable(self, error: OSError) -> InputError:
        return InputError(
            f"{self.path}: the teacher's answers cannot be kept there ({error.strerror}); set teacher.cache to "
            "another file"
        )

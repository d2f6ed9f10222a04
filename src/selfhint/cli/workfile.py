"""The finished parts of a long command, kept beside its result until that is there: a repeated command goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from selfhint.cli.out_file import cannot_write, out_file
from selfhint.core.errors import InputError
from selfhint.engines.durable import write_durably
from selfhint.lock import take
from selfhint.runlog import encode_line

SETTINGS = "settings"


class WorkFile:
    """JSON Lines: the settings, then a line for each part. A line that a kill cut off is dropped. Use as a context
    manager; one process at a time.

    Args:
        out: where the result will be; the work file lies beside it (beside what it names, as a symbolic link).
        settings: everything that decides the result, as JSON has it, under the names a user knows.

    Raises:
        InputError: the result cannot lie there. On entering: the file was begun with other settings, is no work file,
            is in use, or cannot be written.
    """

    _file: BinaryIO

    def __init__(self, out: Path, settings: Mapping[str, Any]) -> None:
        self.out = out
        target = out_file(out)
        self.path = target.with_name(f"{target.name}.work")
        self.parts: list[Any] = []
        self._settings = settings

    def __enter__(self) -> Self:
        try:
            self._file = open(out_file(self.path), "a+b")
            taken = take(self._file)
        except OSError as error:
            raise cannot_write(self.out, error) from error
        try:
            if not taken:
                raise InputError(f"{self.path}: another process is writing it; wait for it or choose another --out")
            self._read()
        except BaseException:
            self._file.close()
            raise
        return self

    def _read(self) -> None:
        self._file.seek(0)
        content = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        lines = [self._read_line(line, number) for number, line in enumerate(whole.splitlines(), start=1)]
        if len(whole) < len(content):  # a file that is refused later stays as it was
            self._file.truncate(len(whole))
        self.parts = lines[1:]
        if not lines:
            self._write({SETTINGS: self._settings})

    def _read_line(self, line: bytes, number: int) -> Any:
        try:
            values = json.loads(line)
            if number == 1:
                check_settings(values[SETTINGS], self._settings, self.path)
        except RecursionError as error:
            raise self.damaged(number, "is nested too deeply") from error
        except (ValueError, TypeError, KeyError) as error:
            if number > 1:
                raise self.damaged(number, "is no JSON") from error
            raise InputError(
                f"{self.path}: is no work file of this command; remove it or choose another --out"
            ) from error
        return values

    def damaged(self, line: int, what: str) -> InputError:
        """The error for a line, numbered from 1, that cannot be used. The first finished part is line 2."""
        return InputError(f"{self.path}: line {line} {what}; restore or remove the file")

    def add(self, part: Any) -> None:
        """Keeps a finished part.

        Raises:
            InputError: it cannot be written.
        """
        self._write(part)
        self.parts.append(part)

    def _write(self, line: Any) -> None:
        try:
            self._file.write(encode_line(line))
            self._file.flush()
        except OSError as error:
            raise cannot_write(self.out, error) from error

    def finish(self, result: bytes) -> None:
        """Writes the result, whole or not at all, and takes the work file away.

        Raises:
            InputError: it cannot be written.
        """
        try:
            write_durably(self.out, result)
        except OSError as error:
            raise cannot_write(self.out, error) from error
        self.path.unlink()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.parts:
            self.path.unlink(missing_ok=True)  # nothing is lost, and another command may use the name
        with suppress(OSError):  # what a full disk did not take was reported when it was written
            self._file.close()


def finished(out: Path, settings: Mapping[str, Any]) -> dict[str, Any] | None:
    """The result that an equal command wrote earlier; None where there is none.

    Raises:
        InputError: something else is there.
    """
    out_file(out)  # reading a pipe would wait for ever
    try:
        content = json.loads(out.read_bytes())
        check_settings(content[SETTINGS], settings, out)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise cannot_write(out, error) from error
    except RecursionError as error:
        raise InputError(f"--out {out}: is nested too deeply; restore or remove it, or choose another file") from error
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(f"--out {out}: holds something else; remove it or choose another file") from error
    return dict(content)


def check_settings(old: Mapping[str, Any], new: Mapping[str, Any], path: Path) -> None:
    """Results of different settings are never mixed.

    Raises:
        InputError: they differ; names the first difference.
    """
    for name in {**old, **new}:
        before, now = old.get(name), new.get(name)
        if before != now:
            raise InputError(
                f"{path}: was made with {name} {_shown(before)}, now it is {_shown(now)}; repeat the command as it "
                "was, or remove the file or choose another --out"
            )


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else f"{text[:28]}...{text[-29:]}"  # folders differ at their end

"""The file of hints written before training: its rows, their counts, and one process at a time that writes it."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from selfhint.core.errors import InputError
from selfhint.core.levels import NUM_LEVELS
from selfhint.engines.hint_warnings import counted
from selfhint.lock import take
from selfhint.runlog import encode_line

ALL_LEVELS = tuple(range(1, NUM_LEVELS + 1))
ROW_BEGINS = b'{"key": '
"""How each line of ours begins."""


@dataclass(slots=True)
class WriteReport:
    """What came of writing hints, rows that were there before included.

    Args:
        num_problems: problems that have a row.
        num_there: of these, rows that an earlier run had written.
        num_hints: accepted hints by level.
        refused: refused hints by reason.
        flagged: accepted hints in which the guard found something, by reason.
        tokens: sampled.
    """

    num_problems: int = 0
    num_there: int = 0
    num_hints: Counter[int] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    flagged: Counter[str] = field(default_factory=Counter)
    tokens: int = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Counts a row."""
        self.num_problems += 1
        self.num_hints.update({level: _num_texts(row.get(f"level_{level}")) for level in ALL_LEVELS})
        self.refused.update(row.get("refused") or {})
        self.flagged.update(row.get("flagged") or {})
        self.tokens += row.get("tokens") or 0

    def outcome(self) -> str:
        """Refused and flagged hints by reason, for the terminal."""
        flagged = f"; kept although flagged: {counted(self.flagged)}" if self.flagged else ""
        return f"refused: {counted(self.refused) or 'none'}{flagged}"


def _num_texts(texts: str | Sequence[str] | None) -> int:
    """An edited row may have a text where a list of one belongs; training reads both."""
    return 1 if isinstance(texts, str) else len(texts or ())


def take_up(path: Path, report: WriteReport, levels: Sequence[int] = ALL_LEVELS) -> set[str]:
    """The keys of the rows that are there, counted; a last line that was cut off goes.

    Raises:
        InputError: another line is no row of hints or lacks one of the levels, or the file cannot be read or written.
    """
    keys: set[str] = set()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "a+b") as file:
            file.seek(0)
            whole = 0
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n") and _is_cut_off(line):
                    break
                whole += len(line)
                row = _parse(line, f"{path}, line {number}", levels)
                if not line.endswith(b"\n"):
                    file.write(b"\n")  # an editor's: whole but for its end
                    whole += 1
                keys.add(row["key"])
                report.add(row)
            file.truncate(whole)
    except OSError as error:
        raise _cannot_write(path, error) from error
    report.num_there = report.num_problems
    return keys


def _is_cut_off(line: bytes) -> bool:
    """A last line without an end is what a kill left of a row of ours, not the last line of another file."""
    try:
        json.loads(line)
    except RecursionError:
        return False
    except ValueError:
        return line.startswith(ROW_BEGINS) or ROW_BEGINS.startswith(line)
    return False


def _parse(line: bytes, where: str, levels: Sequence[int]) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except RecursionError as error:
        raise InputError(f"{where}: nested too deeply; choose another file, or restore this one") from error
    except ValueError:
        row = None
    if not isinstance(row, dict) or not isinstance(row.get("key"), str):
        raise InputError(f"{where}: not a row of hints; choose another file, or restore this one")
    if lacking := [level for level in levels if f"level_{level}" not in row]:
        raise InputError(f"{where}: was written without level {lacking[0]}; choose another file")
    for name, value in row.items():
        if value is not None and not _FIELDS.get(name, _is_anything)(value):
            raise InputError(f"{where}: {name} is damaged; choose another file, or restore or remove that line")
    return row


def _are_texts(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(text, str) for text in value))


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _are_counts(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_count, value.values()))


def _is_anything(value: Any) -> bool:
    return True


_FIELDS: Mapping[str, Callable[[Any], bool]] = {
    **{f"level_{level}": _are_texts for level in ALL_LEVELS},
    "refused": _are_counts,
    "flagged": _are_counts,
    "tokens": _is_count,
}
"""What a row's fields hold, where they are not null; others are not looked at."""


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Inside, no other process that calls this writes the file. A file that is new and got no row goes again.

    Raises:
        InputError: another process is writing it, or it cannot be written.
    """
    is_new = not os.path.exists(path)
    with _open(path) as file:
        _lock(path, file)
        try:
            yield
        finally:
            if is_new and not os.fstat(file.fileno()).st_size:
                path.unlink(missing_ok=True)  # still locked: who opened it meanwhile sees that it is gone


def _open(path: Path) -> BinaryIO:
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):  # opening a pipe would wait for its reader
            raise InputError(f"{path}: is no file; choose another")
        path.parent.mkdir(parents=True, exist_ok=True)
        return open(path, "ab")
    except OSError as error:
        raise _cannot_write(path, error) from error


def _lock(path: Path, file: BinaryIO) -> None:
    in_use = InputError(f"{path}: another process is writing it; wait for it, or choose another file")
    try:
        if not (take(file) and os.path.samestat(os.fstat(file.fileno()), os.stat(path))):
            raise in_use
    except FileNotFoundError:
        raise in_use from None
    except OSError as error:
        raise _cannot_write(path, error) from error


def append_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Appends rows; they are on disk when it returns.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        with open(path, "ab") as file:
            file.write(b"".join(encode_line(row) for row in rows))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise _cannot_write(path, error) from error


def _cannot_write(path: Path, error: OSError) -> InputError:
    return InputError(f"{path}: hints cannot be written there ({error.strerror}); make room, or choose another file")

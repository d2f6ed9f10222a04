"""The run directory's log files: written a line at a time, read back, and cut to a checkpoint on resume."""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from selfhint.core.errors import InputError, RunError
from selfhint.core.group import Hint, Visit
from selfhint.core.ledger import Ledger
from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.lock import take

METRICS, GROUPS, HINTS = "metrics.jsonl", "groups.jsonl", "hints.jsonl"
LOG_FILES = (METRICS, GROUPS, HINTS)

HINT_WEIGHT = "hints/weight"
"""In a metrics line: what hinted groups weighed in the update, where that changes."""

Listener = Callable[[Mapping[str, Any]], None]


class RunLog:
    """Appends to the three log files of one run.

    Args:
        folder: the run directory; made if it is missing.
        listener: called with every metrics line, for a progress display.
    """

    def __init__(self, folder: Path, listener: Listener | None = None) -> None:
        self.folder = folder
        self._listener = listener
        self._files: dict[str, BinaryIO] = {}

    def start(self) -> None:
        """Opens empty log files.

        Raises:
            InputError: the directory holds another run's logs, is in use, or cannot be written.
        """
        used = [name for name, size in self._sizes_on_disk().items() if size]
        if used:
            raise InputError(
                f"{self.folder}: holds the logs of an earlier run ({used[0]}); resume it, move its logs away if it "
                "left no checkpoint, or choose another directory"
            )
        self._open()

    def resume(self, sizes: Mapping[str, int]) -> None:
        """Cuts the files back to the sizes a checkpoint recorded and appends from there.

        Raises:
            InputError: a file is shorter than the checkpoint says, so that lines are lost; the directory is in use, or
                cannot be written.
        """
        for name, have in self._sizes_on_disk().items():
            if have < sizes[name]:
                raise InputError(
                    f"{self.folder / name}: has {have} bytes where the checkpoint recorded {sizes[name]}; "
                    "put the file back or start in a new directory"
                )
        self._open()
        for name, file in self._files.items():
            file.truncate(sizes[name])

    def _open(self) -> None:
        """Opens all files for appending and keeps other processes out until they are closed or this process dies."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for name in LOG_FILES:
                self._files[name] = open(self.folder / name, "ab")  # noqa: SIM115 (kept open for the run)
            taken = take(self._files[METRICS])
        except OSError as error:
            self.close()
            raise self._cannot_write(error) from error
        if not taken:
            self.close()
            raise InputError(
                f"{self.folder}: another process is writing in this run directory; wait for it or choose another"
            )

    def _cannot_write(self, error: OSError) -> InputError:
        return InputError(
            f"{self.folder}: cannot write the run's logs ({error.strerror}); "
            "make the directory writable or choose another"
        )

    def _sizes_on_disk(self) -> dict[str, int]:
        paths = {name: self.folder / name for name in LOG_FILES}
        try:
            return {name: path.stat().st_size if path.exists() else 0 for name, path in paths.items()}
        except OSError as error:
            raise self._cannot_write(error) from error

    def sizes(self) -> dict[str, int]:
        """Bytes of each file, everything written so far on disk."""
        try:
            for file in self._files.values():
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._lost(error) from error
        return self._sizes_on_disk()

    def _lost(self, error: OSError) -> RunError:
        return RunError(f"{self.folder}: writing the run's logs failed ({error.strerror}); make room, then resume")

    def write_visits(self, visits: Sequence[Visit], step: int, epoch: int) -> None:
        """A line in groups.jsonl for each visit and in hints.jsonl for each hint."""
        self._write(GROUPS, (group_line(visit, step, epoch) for visit in visits))
        self._write(HINTS, (hint_line(hint, step) for visit in visits for hint in visit.hints))

    def write_metrics(self, line: Mapping[str, Any]) -> None:
        """A line in metrics.jsonl."""
        self._write(METRICS, [line])
        if self._listener is not None:
            self._listener(line)

    def _write(self, name: str, lines: Iterable[Mapping[str, Any]]) -> None:
        file = self._files[name]
        try:
            file.writelines(encode_line(line) for line in lines)
            file.flush()
        except OSError as error:
            raise self._lost(error) from error

    def close(self) -> None:
        """Closes the files. Safe to call twice. What a full disk did not take was reported when it was written."""
        for file in self._files.values():
            with suppress(OSError):
                file.close()
        self._files.clear()


def encode_line(line: Mapping[str, Any]) -> bytes:
    """One JSON line. A lone surrogate, which UTF-8 cannot carry, is written as its JSON escape.

    Raises:
        ValueError: a number that JSON does not have (NaN, infinity).
    """
    return (json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "backslashreplace")


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a log file. A last line cut off by a crash is left out.

    Raises:
        InputError: another line is damaged, or holds something else than fields.
    """
    with open(path, "rb") as file:
        for number, raw in enumerate(file, start=1):
            if not raw.endswith(b"\n"):
                return
            yield _fields(raw, f"{path}: line {number}")


def _fields(raw: bytes, where: str) -> dict[str, Any]:
    try:
        fields = json.loads(raw)
    except ValueError as error:
        raise InputError(f"{where} is no JSON ({error}); restore the file") from error
    except RecursionError as error:
        raise InputError(f"{where} is nested too deeply; restore the file") from error
    if not isinstance(fields, dict):
        raise InputError(f"{where} is no JSON object; restore the file")
    return fields


def steps_logged(run_dir: Path) -> int:
    """Lines of a run's metrics.jsonl; 0 without the file."""
    try:
        with open(run_dir / METRICS, "rb") as file:
            return sum(1 for _ in file)
    except OSError:
        return 0


def group_line(visit: Visit, step: int, epoch: int) -> dict[str, Any]:
    """A visit as groups.jsonl shows it. `drawn` lists every group in order; the last one entered the update."""
    kept = visit.kept
    return {
        "step": step,
        "epoch": epoch,
        "key": visit.problem.key,
        "visit": visit.number,
        "level": kept.level,
        "hint": kept.hint.id if kept.hint else None,
        "rewards": kept.rewards,
        "drawn": [{"level": g.level, "rewards": g.rewards, "tokens": g.num_tokens} for g in visit.groups],
        "tokens": {"kept": kept.num_tokens, "discarded": visit.tokens_discarded, "hints": visit.hint_tokens},
        "refused": dict(visit.refused),
        "flagged": dict(visit.flagged),
        "why": None if visit.why is None else dict(visit.why),
    }


def hint_line(hint: Hint, step: int) -> dict[str, Any]:
    """A hint as hints.jsonl shows it."""
    return {
        "id": hint.id,
        "key": hint.key,
        "step": step,
        "level": hint.level,
        "text": hint.text,
        "source": hint.source,
        "refused": hint.refused,
        "flagged": hint.flagged,
        "solution_cut": hint.solution_cut,
    }


def step_metrics(visits: Sequence[Visit], ledger: Ledger) -> dict[str, Any]:
    """What one step's visits come to, as metrics.jsonl shows it (without step, epoch and times).

    `hints/level_N` counts visits whose kept group was drawn with a hint of level N. `hints/solutions_cut` counts visits
    in which a request for hints left out part of the solution, `hints/flagged/REASON` hints that were used although the
    guard found something. `groups/no_signal` counts kept
    groups whose rewards are all equal, those of `groups/all_correct` among them. `success/without_hint` is the share of
    correct completions among groups drawn first and without a hint; None where there is none. `completions/mean_length`
    is the mean number of tokens of the completions that entered the update.
    """
    rewards = [r for v in visits for r in v.kept.rewards if r is not None]
    bare = [v.groups[0] for v in visits if v.groups[0].level == NO_HINT and not v.groups[0].unscored]
    refused: Counter[str] = Counter()
    flagged: Counter[str] = Counter()
    num_kept = sum(v.kept.size for v in visits)
    for visit in visits:
        refused.update(visit.refused)
        flagged.update(visit.flagged)
    return {
        "reward/mean": math.fsum(rewards) / len(rewards) if rewards else None,
        "success/without_hint": sum(g.success_rate for g in bare) / len(bare) if bare else None,
        "groups/total": len(visits),
        "groups/failed_first": sum(v.failed_first for v in visits),
        "groups/rescued": sum(v.rescued for v in visits),
        "groups/no_signal": sum(not v.kept.has_signal for v in visits),
        "groups/all_correct": sum(v.kept.all_correct for v in visits),
        "groups/unscored": sum(v.kept.unscored for v in visits),
        **{
            f"hints/level_{level}": sum(v.kept.level == level for v in visits)
            for level in range(NO_HINT + 1, NUM_LEVELS + 1)
        },
        "hints/solutions_cut": sum(any(hint.solution_cut for hint in v.hints) for v in visits),
        **{f"hints/refused/{reason}": refused[reason] for reason in sorted(refused)},
        **{f"hints/flagged/{reason}": flagged[reason] for reason in sorted(flagged)},
        "completions/mean_length": sum(v.kept.num_tokens for v in visits) / num_kept if num_kept else None,
        "tokens/kept": sum(v.kept.num_tokens for v in visits),
        "tokens/discarded": sum(v.tokens_discarded for v in visits),
        "tokens/hints": sum(v.hint_tokens for v in visits),
        "problems/seen": ledger.num_seen,
        "problems/never_solved": ledger.num_never_solved,
        "problems/never_solved_without_hint": ledger.num_never_solved_without_hint,
    }

"""Hints written before training into a file that `hints.source: given` reads: METHOD's "self, offline"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from selfhint.core.group import Hint, HintTrail
from selfhint.core.ports import BatchEngine, HintSession, Reply, Request, VisitContext
from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt
from selfhint.engines.drive import drive_lockstep
from selfhint.engines.written_hints import ALL_LEVELS, WriteReport, append_rows, take_up
from selfhint.hints import HintFormat, SelfHints, insert_hint

BATCH = 32


@dataclass(frozen=True, slots=True)
class Place:
    """Where a written hint will stand, and what limits it.

    Args:
        hinted: the solver's prompt with a hint in it.
        fits: whether a prompt keeps to the token budget of prompts.
        fits_request: the same for a request; None: as prompts.
    """

    hinted: Callable[[Prompt, str], Prompt] = insert_hint
    fits: Callable[[Prompt], bool] = lambda prompt: True
    fits_request: Callable[[Prompt], bool] | None = None


def write_hints(
    problems: Sequence[Problem],
    engine: BatchEngine,
    source_format: HintFormat,
    path: str | Path,
    *,
    levels: Sequence[int] = ALL_LEVELS,
    per_level: int = 1,
    tries: int = 3,
    count_leaks: bool = False,
    batch: int = BATCH,
    on_batch: Callable[[WriteReport], None] | None = None,
    place: Place | None = None,
) -> WriteReport:
    """Asks for hints of all problems and appends a row `{"key", "level_1": [texts], …}` for each to a file.

    Rows that are there stay, so it can be stopped at any moment and called again. With an engine whose answers follow
    from the requests of a batch, the file is then the same as without the stop. Where others might write it at the same
    time, call it inside `alone(path)`.

    Args:
        engine: answers requests of purpose `hint`.
        source_format: how to ask.
        levels: the levels wanted.
        per_level: K, hints for each level, drawn one after the other as if in K visits.
        tries: attempts for each hint.
        count_leaks: leaks that the guard finds are counted, and the hints written.
        batch: problems that are asked for together.
        on_batch: called after each batch with what there is so far.
        place: token budgets and the solver's wording; None: no budget and the built-in wording.

    Raises:
        InputError: the file is no such file, or cannot be written.
    """
    path = Path(path)
    report = WriteReport()
    there = take_up(path, report, levels)
    source = SelfHints(source_format, tries, count_leaks=count_leaks)
    for rows in hint_rows(problems, engine, source, there, levels, per_level, batch, place or Place()):
        append_rows(path, rows)
        for row in rows:
            report.add(row)
        if on_batch is not None:
            on_batch(report)
    return report


def hint_rows(
    problems: Sequence[Problem],
    engine: BatchEngine,
    source: SelfHints,
    there: Collection[str],
    levels: Sequence[int],
    per_level: int,
    batch: int,
    place: Place,
) -> Iterator[list[dict[str, Any]]]:
    """The rows of each batch that are not there yet. A batch of which some are missing is asked for as a whole."""
    for start in range(0, len(problems), batch):
        chosen = problems[start : start + batch]
        if all(problem.key in there for problem in chosen):
            continue
        contexts = [VisitContext(0, k, place.hinted, place.fits, {}, 0, place.fits_request) for k in range(per_level)]
        sessions = [_write(source.session(p, context), levels) for p in chosen for context in contexts]
        trails = drive_lockstep(sessions, engine)
        rows = [_row(p, trails[i * per_level : (i + 1) * per_level], levels) for i, p in enumerate(chosen)]
        yield [row for row in rows if row["key"] not in there]


def _write(session: HintSession, levels: Sequence[int]) -> Generator[Request, Reply, tuple[list[Hint], HintTrail]]:
    accepted = []
    for level in levels:
        hint = yield from session.hint(level)
        if hint is not None:
            accepted.append(hint)
    return accepted, session.trail


def _row(problem: Problem, written: Sequence[tuple[list[Hint], HintTrail]], levels: Sequence[int]) -> dict[str, Any]:
    made = [hint for _, trail in written for hint in trail.hints]
    refused = Counter(hint.refused for hint in made if hint.refused)
    flagged = Counter(hint.flagged for hint in made if hint.flagged)
    texts = {level: [hint.text for hints, _ in written for hint in hints if hint.level == level] for level in levels}
    return {
        "key": problem.key,
        **{f"level_{level}": list(dict.fromkeys(texts[level])) for level in levels},
        "refused": dict(sorted(refused.items())),
        "flagged": dict(sorted(flagged.items())),
        "tokens": sum(trail.num_tokens for _, trail in written),
    }

"""Last pass of `prepare`: the problems that stay, in the order of the data, and why the others do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from selfhint.core.prompt import Prompt
from selfhint.data.left_out import LeftOutLog
from selfhint.data.overlap.near import containment
from selfhint.data.prepare.decide import KEPT, NEAR_DUPLICATE, REASONS, Decisions
from selfhint.data.prepare.difficulty import Solved
from selfhint.data.prepare.spool import Entry, Spool, encoded
from selfhint.data.write import write_labelled, write_trl

TRAIN, VALIDATION = "train", "validation"

Kept = tuple[Entry, Solved | None]
"""A problem that stays, and how often the diagnosed policy solved it, where that is known."""
MakePrompt = Callable[[str], Prompt]


def write_jsonl(problems: Iterator[Kept], path: Path, make_prompt: MakePrompt) -> None:
    """Rows as `Entry.content`; with `solved` and `drawn` where they are known."""
    with open(path, "wb") as file:
        for entry, solved in problems:
            label = {} if solved is None else {"solved": solved.correct, "drawn": solved.drawn}
            file.write(encoded(entry.content() | label))


def _for_trl(problems: Iterator[Kept], path: Path, make_prompt: MakePrompt) -> None:
    write_trl((entry.asked(make_prompt) for entry, _ in problems), path)


def _for_verl(problems: Iterator[Kept], path: Path, make_prompt: MakePrompt) -> None:
    labelled = ((entry.asked(make_prompt), entry.labels) for entry, _ in problems)
    write_labelled(labelled, path, data_source=DATA_SOURCE)


DATA_SOURCE = "selfhint"
"""What verl's files name as their source where the data do not: none of verl's own rewards goes by it."""

WRITERS: Mapping[str, tuple[str, Callable[[Iterator[Kept], Path, MakePrompt], None]]] = MappingProxyType(
    {"jsonl": (".jsonl", write_jsonl), "trl": (".parquet", _for_trl), "verl": (".parquet", _for_verl)}
)
"""Format → suffix and writer."""


def write(
    folder: Path, format: str, spool: Spool, decisions: Decisions, solved: Mapping[str, Solved], make_prompt: MakePrompt
) -> dict[str, int]:
    """Writes the files of a format; a file that would be empty is left away.

    Returns:
        File → how many problems it has.

    Raises:
        InputError: the format cannot hold them.
    """
    suffix, writer = WRITERS[format]
    counts: dict[str, int] = {}
    for name, is_part in ((TRAIN, ~decisions.validation), (VALIDATION, decisions.validation)):
        chosen = is_part & (decisions.reasons == REASONS.index(KEPT))
        num = int(chosen.sum())
        if num:
            kept = ((entry, solved.get(entry.key)) for entry, is_in in zip(spool, chosen, strict=True) if is_in)
            writer(kept, folder / f"{name}{suffix}", make_prompt)
            counts[f"{name}{suffix}"] = num
    return counts


def log_left_out(spool: Spool, decisions: Decisions, log: LeftOutLog) -> None:
    """Writes down what the second pass left out."""
    for number in decisions.reasons.nonzero()[0].tolist():
        other = int(decisions.others[number])
        reason = REASONS[decisions.reasons[number]]
        entry, cause = spool[number], None if other < 0 else spool[other]
        measured = {}
        if reason == NEAR_DUPLICATE and cause is not None:
            measured["containment"] = round(containment(entry.compared.reading, cause.compared.reading), 4)
        log.add(entry.where, reason, None if cause is None else cause.where, key=entry.key, measured=measured)

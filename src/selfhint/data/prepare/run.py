"""Data as a training should get them: verified, short enough, once each, and nothing of the benchmarks among them.

The first pass looks at each row by itself and writes what passes to a spool; the second compares the rows with each
other, by hashes in memory (some 150 bytes a row) and MinHash bands on disk. What stays, and in which file, does not
depend on the order of the rows; the files keep that order.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

from selfhint.core.errors import InputError
from selfhint.data.layouts import read_ahead, resolve_columns, with_verls_labels
from selfhint.data.left_out import LeftOutLog, told
from selfhint.data.overlap.benchmarks import read_benchmarks
from selfhint.data.overlap.near_index import NearIndex
from selfhint.data.overlap.reading import answer_form
from selfhint.data.prepare.decide import decide
from selfhint.data.prepare.difficulty import read_difficulty
from selfhint.data.prepare.folder import built, check_free, real
from selfhint.data.prepare.intake import take_in
from selfhint.data.prepare.manifest import (
    MADE_FROM,
    MANIFEST,
    OUTPUTS,
    as_json,
    described,
    encode_manifest,
    is_whole,
    outputs_of,
    read_manifest,
    sha256_of,
    versions,
)
from selfhint.data.prepare.settings import PrepareSettings, Tools
from selfhint.data.prepare.spool import Spool
from selfhint.data.prepare.write import WRITERS, log_left_out, write
from selfhint.data.read import column_names, no_rows
from selfhint.data.row_problem import RowReader
from selfhint.data.source import Source, find_source

LEFT_OUT = "left_out.jsonl"
OR_WITHOUT = "or add --no-verify to keep rows without a solution"
"""How `prepare` goes on without worked solutions."""
PACKAGES = ("datasketch", "numpy", "math-verify", "transformers", "tokenizers")
"""Other packages whose versions can change a result."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A result.

    Args:
        manifest: as its file has it.
        is_new: False where an equal command had made it before.
        notices: sentences about the data and the benchmarks.
    """

    manifest: Mapping[str, Any]
    is_new: bool
    notices: tuple[str, ...] = ()


def prepare(
    data: str | Path,
    out: Path,
    settings: PrepareSettings,
    tools: Tools,
    *,
    overwrite: bool = False,
    on_row: Callable[[], None] = lambda: None,
) -> Prepared:
    """Writes a folder of train and validation problems, the rows left out with their reasons, and a manifest.

    The folder is there whole or not at all. The same data and settings give the same bytes, unless a verdict runs into
    its time limit, which the reason of the row shows.

    Args:
        data: whatever `find_source` finds.
        out: the folder, or a link to it; one that an equal command made is left as it is.
        overwrite: another result in its place is replaced.
        on_row: called for each row read.

    Raises:
        InputError: something the user gave cannot be used, or no problem is left.
        RunError: the verifier cannot judge.
        ValueError: a limit in tokens without the tool that counts them.
    """
    for limit in ("prompt_tokens", "solution_tokens"):
        if getattr(settings, f"max_{limit}") is not None and getattr(tools, limit) is None:
            raise ValueError(f"max_{limit} needs {limit}")
    if settings.format not in WRITERS:
        raise InputError(f"--format {settings.format}: no such format; use one of {', '.join(WRITERS)}")
    source = find_source(data)
    against = tuple(map(find_source, settings.against))
    notices = tuple(f"{each.notice}." for each in (source, *against) if each.notice is not None)
    made_from = _made_from(source, against, settings)
    out = real(out)
    earlier = read_manifest(out)
    if earlier is not None and earlier[MADE_FROM] == made_from and is_whole(out, earlier):
        return Prepared(earlier, is_new=False, notices=notices)
    check = partial(check_free, out, tuple(_inputs((source, *against), settings)), overwrite=overwrite)
    check()
    solved = {} if settings.difficulty is None else read_difficulty(settings.difficulty)
    names = column_names(source, read_ahead(settings.columns))
    if not names:
        raise no_rows(source)
    layout = resolve_columns(
        source, names, settings.columns, need_solution=tools.judge is not None, or_without=OR_WITHOUT
    )
    if settings.format == "verl":
        layout = with_verls_labels(layout, names)
    reader = RowReader(layout, tools.make_prompt, need_solution=tools.judge is not None)
    benchmarks = read_benchmarks(against, settings.columns)
    with built(out, check) as folder, ExitStack() as stack:
        work = folder / "work"
        work.mkdir()
        log = LeftOutLog(stack.enter_context(open(folder / LEFT_OUT, "wb")))
        spool = stack.enter_context(Spool(work / "problems.jsonl"))
        near = stack.enter_context(NearIndex(work)) if settings.near else None
        overlapping = take_in(source, reader, settings, tools, benchmarks, spool, near, log, on_row)
        if not len(spool) + log.total:
            raise no_rows(source)
        decisions = decide(spool, near, settings, solved, _same_answer(tools))
        if solved and not decisions.diagnosed:
            raise InputError(
                f"--difficulty {settings.difficulty}: none of its {len(solved)} problems is in {source.name}; was it "
                "made with other data?"
            )
        log_left_out(spool, decisions, log)
        counts = write(folder, settings.format, spool, decisions, solved, tools.make_prompt)
        stack.close()
        shutil.rmtree(work)
        if not counts:
            left_out = "; ".join(told(reason, rows.count, rows.examples) for reason, rows in log.reasons.items())
            raise InputError(f"{source.name}: no problem is left of {log.total} rows: {left_out}")
        kept = sum(counts.values())
        manifest = {
            MADE_FROM: made_from,
            "columns": layout.columns.by_role,
            "columns_left_behind": _left_behind(names, reader),
            "rows": {"read": kept + log.total, "kept": kept, "left_out": log.total},
            "left_out": {reason: asdict(counted) for reason, counted in log.reasons.items()},
            "benchmarks": [
                {"file": file, "problems": num, "rows_left_out": overlapping[file]}
                for file, num in benchmarks.sizes.items()
            ],
            "compared_in_part": decisions.crowded,
            "diagnosed": decisions.diagnosed,
            OUTPUTS: outputs_of(folder, counts | {LEFT_OUT: log.total}),
        }
        (folder / MANIFEST).write_bytes(encode_manifest(manifest))
    return Prepared(manifest, is_new=True, notices=notices)


def _made_from(source: Source, against: Sequence[Source], settings: PrepareSettings) -> dict[str, Any]:
    """Everything that decides the result. Two that are equal give the same bytes.

    Raises:
        InputError: a file cannot be read.
    """
    chosen = {field.name: getattr(settings, field.name) for field in fields(settings)}
    try:
        made_from = {
            "versions": versions(PACKAGES),
            "settings": chosen | {"columns": asdict(settings.columns), "drop": sorted(settings.drop)},
            "source": described(source),
            "against": [described(benchmark) for benchmark in against],
            "difficulty": None if settings.difficulty is None else sha256_of(Path(settings.difficulty)),
        }
    except OSError as error:
        raise InputError(
            f"{error.filename}: cannot be read ({error.strerror or error}); check its name and rights"
        ) from error
    return as_json(made_from)


def _inputs(sources: Sequence[Source], settings: PrepareSettings) -> Iterator[Path]:
    """The files that a result is made from."""
    yield from (file.path for source in sources if not source.is_generated for file in source.files)
    if settings.difficulty is not None:
        yield Path(settings.difficulty)


def _same_answer(tools: Tools) -> Callable[[str, str], bool]:
    judge = tools.judge
    if judge is None:
        return lambda one, other: answer_form(one) == answer_form(other)
    return lambda one, other: next(iter(judge([(one, other)]))).correct is True


def _left_behind(names: Sequence[str], reader: RowReader) -> list[str]:
    """Columns that no part of the result comes from; of one that is read in part, the fields that are not."""
    read = reader.wanted | reader.nested
    parts = {part for name in read for part in _up_to(name)}
    behind = (name for name in names if name not in parts and not read & {*_up_to(name)})
    return [name for name in behind if set(_up_to(name)[:-1]) <= parts]


def _up_to(name: str) -> list[str]:
    """A nested field's columns from the outermost on, itself among them."""
    fields_in = name.split(".")
    return [".".join(fields_in[:depth]) for depth in range(1, len(fields_in) + 1)]

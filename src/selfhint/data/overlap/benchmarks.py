"""Benchmark files as an index to look problems up in."""

from __future__ import annotations

from collections.abc import Sequence

from selfhint.core.errors import InputError
from selfhint.data.layouts import OTHER_NAMES, Columns, Layout, listed
from selfhint.data.overlap.benchmark_index import BenchmarkIndex
from selfhint.data.read import column_names, iter_rows
from selfhint.data.row_problem import LeaveOutError, RowReader
from selfhint.data.source import Source
from selfhint.data.trace import final_answer


def read_benchmarks(sources: Sequence[Source], columns: Columns) -> BenchmarkIndex:
    """All problems of all sources. Rows without a problem are passed over; an answer is not needed.

    Args:
        columns: names of the columns; where a benchmark lacks one, what public data sets call it is taken.

    Raises:
        InputError: a source cannot be read, or has no column of problems or no problem.
    """
    index = BenchmarkIndex()
    for source in sources:
        before = len(index)
        _add(index, source, columns)
        if len(index) == before:
            raise InputError(f"--against {source.name}: no problem in it; check that the file was copied completely")
    return index


def _add(index: BenchmarkIndex, source: Source, columns: Columns) -> None:
    names = column_names(source, {columns.problem, columns.answer})
    if not names:
        return
    problem, answer = (_column(role, name, names) for role, name in _roles(columns))
    if problem is None:
        raise InputError(
            f"--against {source.name}: no column {columns.problem!r} (found: {listed(names)}); rename its column of "
            "problems"
        )
    layout = Layout(Columns(problem=problem, answer=columns.answer if answer is None else answer))
    reader = RowReader(layout, lambda question: question, need_solution=False)
    for row in iter_rows(source, reader.wanted, reader.nested):
        try:
            question = reader.question(row)
        except LeaveOutError:
            continue
        gold = row.values[layout.columns.answer]
        index.add(
            row.place.file,
            f"{row.place.unit} {row.place.number}",
            question,
            final_answer(gold) if isinstance(gold, str) and gold.strip() else None,
        )


def _roles(columns: Columns) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("problem", columns.problem), ("answer", columns.answer)


def _column(role: str, name: str, names: Sequence[str]) -> str | None:
    return next((candidate for candidate in (name, role, *OTHER_NAMES[role]) if candidate in names), None)

"""What is wrong with a data set, or odd about it, before a run pays for it. Nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from selfhint.core.errors import InputError
from selfhint.data.audit.findings import HARMS, Finding, Findings
from selfhint.data.audit.lengths import Lengths, summary
from selfhint.data.audit.rows import AuditTools, RowAudit
from selfhint.data.layouts import Columns, Layout, read_ahead, resolve_columns
from selfhint.data.overlap.benchmarks import read_benchmarks
from selfhint.data.read import column_names, iter_rows, no_rows
from selfhint.data.row_problem import RowReader
from selfhint.data.rows import Place
from selfhint.data.source import Source, find_source

TOGETHER = 500
"""Rows whose answers the verifier judges at once."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found.

    Args:
        source: the data.
        num_rows: rows in all, damaged ones among them.
        num_problems: rows that a run trains on.
        notes: sentences about the data as a whole.
        findings: the gravest first.
        lengths: in tokens; empty without a tokenizer.
    """

    source: Source
    num_rows: int
    num_problems: int
    notes: tuple[str, ...]
    findings: tuple[Finding, ...]
    lengths: tuple[Lengths, ...]

    @property
    def harms(self) -> bool:
        """Whether something would harm a run."""
        return any(finding.kind.severity == HARMS for finding in self.findings)

    def as_json(self) -> Mapping[str, Any]:
        """Everything, as JSON has it."""
        return {
            "data": self.source.name,
            "rows": self.num_rows,
            "problems": self.num_problems,
            "harms": self.harms,
            "notes": list(self.notes),
            "findings": [_finding_as_json(finding) for finding in self.findings],
            "lengths": [
                {
                    "what": one.what,
                    "problems": one.num,
                    **{f"p{percent}": tokens for percent, tokens in one.percentiles.items()},
                    "longest": one.longest,
                    "budget_key": one.budget_key,
                    "budget": one.budget,
                    "over": one.num_over,
                }
                for one in self.lengths
            ],
        }


def _finding_as_json(finding: Finding) -> Mapping[str, Any]:
    return {
        "name": finding.name,
        "severity": finding.kind.severity,
        "what": finding.what,
        "means": finding.kind.means,
        "count": len(finding.found),
        "rows": [
            {"file": found.place.file, found.place.unit: found.place.number, "detail": found.detail}
            for found in finding.found
        ],
    }


def audit(
    data: str | Path,
    columns: Columns,
    tools: AuditTools,
    *,
    need_solution: bool,
    against: Sequence[str | Path] = (),
    on_rows: Callable[[int], None] = lambda num_rows: None,
) -> Audit:
    """Looks at every row. One that loading stops at is a finding here, and the audit goes on.

    Args:
        data: whatever `find_source` finds.
        columns: names of the columns, as `load_problems` takes them.
        need_solution: the run writes hints.
        against: benchmarks that must not be in the data: whatever `find_source` finds.
        on_rows: called now and then with the number of rows looked at.

    Raises:
        InputError: the data as a whole cannot be read, a column is missing, or there is no row.
        RunError: the verifier cannot judge.
    """
    source = find_source(data)
    benchmarks = read_benchmarks([find_source(name) for name in against], columns) if against else None
    findings = Findings()
    damage = _FirstDamage()
    names = column_names(source, read_ahead(columns), damage)
    if damage.told and not names:
        raise InputError(f"{damage.told} (no other row can be read either)")
    if not names:
        raise no_rows(source)
    layout, notes = _layout(source, names, columns, need_solution)
    if source.notice is not None:
        notes = (f"{source.notice}.", *notes)
    reader = RowReader(layout, tools.make_prompt, need_solution=False)
    rows = RowAudit(reader, need_solution, tools, findings, benchmarks)
    stream = iter_rows(source, reader.wanted, reader.nested, rows.damaged)
    while part := list(islice(stream, TOGETHER)):
        rows.look(part)
        on_rows(rows.num)
    if not rows.num:
        raise no_rows(source)
    lengths = (summary(measure, rows.counts[measure.what]) for measure in tools.measures)
    return Audit(
        source,
        rows.num,
        rows.num_kept,
        (*notes, *_without_overlap(rows)),
        tuple(findings.sorted()),
        tuple(one for one in lengths if one is not None),
    )


@dataclass(slots=True)
class _FirstDamage:
    """Keeps the first; damaged rows are counted when the rows are read."""

    told: str = ""

    def __call__(self, place: Place, fault: str) -> None:
        self.told = self.told or f"{place}: {fault}"


def _without_overlap(rows: RowAudit) -> Iterator[str]:
    """What was compared and not found has to be said too."""
    sizes = {} if rows.benchmarks is None else rows.benchmarks.sizes
    for benchmark, num in sizes.items():
        if benchmark not in rows.overlapping:
            yield f"{benchmark}: no row was found in it (problems compared with: {num})."


def _layout(
    source: Source, names: Sequence[str], columns: Columns, need_solution: bool
) -> tuple[Layout, tuple[str, ...]]:
    """Where the rows hold what, and what is to be said of it. A column of solutions may be missing."""
    try:
        layout = resolve_columns(source, names, columns, need_solution=need_solution)
        notes: tuple[str, ...] = ()
    except InputError as error:
        layout = resolve_columns(source, names, columns, need_solution=False)
        notes = (str(error),)
    return layout, (*notes, *(() if layout.note is None else (f"{layout.note}.",)))

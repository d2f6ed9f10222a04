"""An audit on a terminal: what was found, in how many rows and where, what it means, and lengths against budgets."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from selfhint.cli.look_tables import MISSING, number, print_table, quantity_table
from selfhint.data.audit.findings import HARMS, WORTH_KNOWING, Finding
from selfhint.data.audit.lengths import PERCENTILES
from selfhint.data.audit.run import Audit
from selfhint.data.rows import Place

TITLES = {HARMS: "Would harm a run", WORTH_KNOWING: "Worth knowing"}
NUM_PLACES = 8
NUM_DETAILS = 3
"""Details shown of a finding, each once."""
PLURAL = {"line": "lines", "row": "rows", "entry": "entries"}
INDENT = " " * 9


def print_audit(console: Console, audit: Audit, *, model: str | None) -> None:
    """Prints all of it.

    Args:
        model: whose tokenizer counted; None: nothing was counted.
    """
    console.print(
        f"{audit.source.name}: {_counted(audit.num_rows, 'row')}, {_counted(audit.num_problems, 'problem')} to train on"
    )
    for note in audit.notes:
        console.print(note)
    for severity, title in TITLES.items():
        findings = [finding for finding in audit.findings if finding.kind.severity == severity]
        if findings:
            console.print(f"\n{title}", style="bold")
        for finding in findings:
            for line in _lines(finding, several_files=len(audit.source.files) > 1):
                console.print(line)
    if not audit.findings:
        console.print("Nothing was found.")
    if model is None:
        console.print("\nLengths in tokens are left out; add --model with the policy's folder or hub id.")
    elif audit.lengths:
        console.print()
        print_table(console, _lengths(audit, model))


def _counted(num: int, noun: str) -> str:
    return f"{num:,} {noun if num == 1 else f'{noun}s'}"


def _lines(finding: Finding, *, several_files: bool) -> Iterator[str]:
    rows = "row" if len(finding.found) == 1 else "rows"
    yield f"{len(finding.found):7,}  {rows} {finding.what}: {_places(finding, several_files=several_files)}"
    yield f"{INDENT}{finding.kind.means}"
    details: dict[str, Place] = {}
    for found in finding.found:
        if found.detail and len(details) < NUM_DETAILS:
            details.setdefault(found.detail, found.place)
    for detail, place in details.items():
        yield f"{INDENT}{place if several_files else f'{place.unit} {place.number}'}: {detail}"


def _places(finding: Finding, *, several_files: bool) -> str:
    places = [found.place for found in finding.found[:NUM_PLACES]]
    more = ", ..." if len(finding.found) > NUM_PLACES else ""
    if several_files:
        return "; ".join(map(str, places)) + more
    unit = PLURAL[places[0].unit] if len(finding.found) > 1 else places[0].unit
    return f"{unit} {', '.join(str(place.number) for place in places)}{more}"


def _lengths(audit: Audit, model: str) -> Table:
    columns = [*(f"{percent} %" for percent in PERCENTILES), "longest", "budget", "over"]
    rows = []
    for one in audit.lengths:
        figures = [*(one.percentiles[percent] for percent in PERCENTILES), one.longest, one.budget]
        rows.append((one.what, [*map(number, figures), MISSING if one.budget is None else number(one.num_over)]))
    return quantity_table(f"Lengths in tokens of {model}", columns, rows)

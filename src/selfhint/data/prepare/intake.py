"""First pass of `prepare`: each row by itself. What passes goes to the spool, all else to the log of rows left out."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from selfhint.core.group import Verdict
from selfhint.data.left_out import LeftOutLog
from selfhint.data.load import LONG_PROMPT
from selfhint.data.overlap.benchmark_index import BenchmarkIndex
from selfhint.data.overlap.near_index import NearIndex
from selfhint.data.prepare.settings import PrepareSettings, Tools
from selfhint.data.prepare.spool import Entry, Spool
from selfhint.data.read import iter_rows
from selfhint.data.row_problem import LeaveOutError, RowReader
from selfhint.data.source import Source
from selfhint.data.trace import final_answer

LONG_SOLUTION = "with a solution over the token budget"
UNVERIFIED = "whose solution does not end in the answer: {reason}"
IN_BENCHMARK = "of a benchmark, {benchmark}: {kind}"


def take_in(
    source: Source,
    reader: RowReader,
    settings: PrepareSettings,
    tools: Tools,
    benchmarks: BenchmarkIndex,
    spool: Spool,
    near: NearIndex | None,
    log: LeftOutLog,
    on_row: Callable[[], None],
) -> Counter[str]:
    """Reads all rows of a source.

    Args:
        on_row: called for each row read.

    Returns:
        Benchmark → rows left out because of it.

    Raises:
        InputError: the source cannot be read.
        RunError: the verifier cannot judge.
    """
    items = _read(source, reader, on_row)
    if tools.judge is not None:
        items = _verified(items, tools.judge)
    overlapping: Counter[str] = Counter()
    for item in items:
        if isinstance(item, _Rejected):
            log.add(item.where, item.reason, key=item.key)
            continue
        too_long = _too_long(item, settings, tools)
        if too_long is not None:
            reason, tokens = too_long
            log.add(item.where, reason, key=item.key, measured={"tokens": tokens})
            continue
        compared = item.compared
        overlap = benchmarks.find(compared)
        if overlap is not None:
            reason = IN_BENCHMARK.format(benchmark=overlap.benchmark, kind=overlap.kind)
            of = f"{overlap.where}, containment {overlap.containment:.2f}"
            log.add(item.where, reason, of, key=item.key, measured={"containment": overlap.containment})
            overlapping[overlap.benchmark] += 1
            continue
        spool.add(item, compared)
        if near is not None:
            near.add(compared)
    return overlapping


@dataclass(frozen=True, slots=True)
class _Rejected:
    """A row that is left out, on its way to the log in the order of the rows; `key` where it is a problem."""

    where: str
    reason: str
    key: str | None = None


def _read(source: Source, reader: RowReader, on_row: Callable[[], None]) -> Iterator[Entry | _Rejected]:
    """Each row as a problem, or why it is none."""
    is_single = len(source.files) == 1
    for row in iter_rows(source, reader.wanted, reader.nested):
        on_row()
        where = f"{row.place.unit} {row.place.number}" if is_single else str(row.place)
        try:
            problem = reader.problem(row)
        except LeaveOutError as leave_out:
            yield _Rejected(where, leave_out.reason)
        else:
            yield Entry.of(where, problem, own_prompt=reader.has_own_prompt(row), labels=reader.labels(row))


def _verified(
    items: Iterable[Entry | _Rejected], judge: Callable[[Iterable[tuple[object, str]]], Iterator[Verdict]]
) -> Iterator[Entry | _Rejected]:
    """Rejects problems whose reference solution does not end in their answer.

    The judge reads ahead as its workers allow; all items come out in the order in which they came in.
    """
    waiting: deque[Entry | _Rejected] = deque()

    def pairs() -> Iterator[tuple[object, str]]:
        for item in items:
            waiting.append(item)
            if isinstance(item, Entry):
                yield item.answer, final_answer(item.solution or "")

    for verdict in judge(pairs()):
        while isinstance(item := waiting.popleft(), _Rejected):
            yield item
        yield item if verdict.correct else _Rejected(item.where, UNVERIFIED.format(reason=verdict.reason), item.key)
    yield from waiting


def _too_long(entry: Entry, settings: PrepareSettings, tools: Tools) -> tuple[str, int] | None:
    """The reason to leave it out, and the tokens that are too many."""
    if settings.max_prompt_tokens is not None:
        assert tools.prompt_tokens is not None, "checked before"
        prompt = tools.make_prompt(entry.problem) if entry.prompt is None else entry.prompt
        tokens = tools.prompt_tokens(prompt)
        if tokens > settings.max_prompt_tokens:
            return LONG_PROMPT, tokens
    if settings.max_solution_tokens is not None and entry.solution is not None:
        assert tools.solution_tokens is not None, "checked before"
        tokens = tools.solution_tokens(entry.solution)
        if tokens > settings.max_solution_tokens:
            return LONG_SOLUTION, tokens
    return None

"""Looks at a sample of problems with the policy itself, a part at a time; goes on where an equal command stopped."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from selfhint.cli import models, wiring
from selfhint.cli.look_options import LookOptions
from selfhint.cli.look_progress import LookProgress
from selfhint.cli.policy_engine import check_teacher, place_of, policy_engine
from selfhint.cli.stopping import Stopped
from selfhint.cli.warm import warm_with_progress
from selfhint.cli.workfile import SETTINGS, WorkFile, finished
from selfhint.core.episode import run_visit
from selfhint.core.errors import InputError, RunError
from selfhint.core.levels import NO_HINT
from selfhint.core.ports import BatchEngine, HintSource, VisitContext
from selfhint.core.problem import Problem
from selfhint.diagnosis import EveryLevel, HintCost, Look, counting, read_look
from selfhint.engines.drive import drive_lockstep
from selfhint.hints import AskingHints
from selfhint.runlog import encode_line

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

LOOKS = "looks"

Part = tuple[int, Sequence[Problem]]
"""The round, and the problems that are looked at together."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The problems that are looked at.

    Args:
        problems: in the order of the data.
        report: what became of the data's rows.
        no_hints_because: why none of the data's problems has a usable reference solution; None where some have.
    """

    problems: tuple[Problem, ...]
    report: str
    no_hints_because: str | None = None

    @property
    def identity(self) -> str:
        """A hash of everything that the problems hold."""
        digest = hashlib.sha256()
        for problem in self.problems:
            digest.update(
                repr((problem.key, problem.solution, problem.prompt, dict(problem.hints))).encode(
                    "utf-8", "surrogatepass"
                )
            )
        return digest.hexdigest()[:16]


def hinted_sample(options: LookOptions, tokenizer: PreTrainedTokenizerBase) -> Sample:
    """Problems that all have a reference solution, drawn with the seed.

    Raises:
        InputError: the data cannot be used.
    """
    loaded = wiring.problems_of(options.recipe, tokenizer)
    return Sample(_drawn(loaded.train, options), loaded.report)


def plain_sample(options: LookOptions, tokenizer: PreTrainedTokenizerBase) -> Sample:
    """Problems with or without a reference solution, drawn with the seed.

    A problem whose solution cannot serve for hints (there is none, or it is only the answer) has none here.

    Raises:
        InputError: the data cannot be used even without hints.
    """
    loaded = wiring.problems_of(options.recipe.model_copy(update={"method": "grpo"}), tokenizer)
    drawn = _drawn(loaded.train, options)
    try:
        usable = {problem.key: problem for problem in wiring.problems_of(options.recipe, tokenizer).train}
    except InputError as error:
        if not wiring.needs_solution(options.recipe) or options.recipe.columns.solution is not None:
            raise  # not for want of solutions, or the column that was named for them is not there
        return Sample(tuple(replace(p, solution=None) for p in drawn), loaded.report, str(error))
    return Sample(tuple(usable.get(p.key) or replace(p, solution=None) for p in drawn), loaded.report)


def _drawn(problems: Sequence[Problem], options: LookOptions) -> tuple[Problem, ...]:
    numbers = random.Random(f"look {options.recipe.seed}").sample(range(len(problems)), min(options.num, len(problems)))
    return tuple(problems[i] for i in sorted(numbers))


@dataclass(frozen=True, slots=True)
class Looked:
    """What was seen.

    Args:
        options, sample: of the command.
        looks: rounds after each other, problems in order.
        shared_requests: one answer holds the hints of all levels.
    """

    options: LookOptions
    sample: Sample
    looks: tuple[Look, ...]
    shared_requests: bool


def look(
    options: LookOptions,
    draw_sample: Callable[[LookOptions, PreTrainedTokenizerBase], Sample],
    summarise: Callable[[Looked], Mapping[str, Any]],
    console: Console,
    *,
    only_failed: bool,
) -> Looked:
    """Looks, and writes the result with `summarise`'s figures where the options say so.

    Args:
        only_failed: hints are drawn for groups that failed without one.

    Raises:
        InputError: something the user gave cannot be used.
        RunError: stopped, or out of memory; the same command goes on.
        Stopped: stopped, and nothing was to be kept.
    """
    recipe = options.recipe
    tokenizer = wiring.tokenizer_of(recipe)
    sample = draw_sample(options, tokenizer)
    wiring.check_context(recipe)
    source = wiring.hints_of(recipe)
    shared = isinstance(source, AskingHints) and len(source.format.levels_asked(1)) > 1
    check_teacher(options)
    settings = options.settings(sample.identity)
    console.print(sample.report)
    parts = _parts(sample.problems, options)
    if options.out is not None:
        earlier = finished(options.out, settings)
        if earlier is not None:
            looks_there = _looks_of_result(earlier, options.out, parts)
            console.print(f"{options.out}: is there already, from an equal command")
            return Looked(options, sample, looks_there, shared)
    with nullcontext() if options.out is None else WorkFile(options.out, settings) as work:
        looks = [] if work is None else _looks_of_work(work, parts)
        with _stops_are_resumable(work, len(parts[0][1]), len(sample.problems) * options.rounds):
            warm_with_progress(recipe, console)
            with LookProgress(len(sample.problems) * options.rounds, len(looks)) as progress:
                for part in _looks(
                    options, tokenizer, source, parts[len(work.parts) if work else 0 :], only_failed, progress
                ):
                    if work is not None:
                        work.add([asdict(one) for one in part])
                    looks += part
                    progress.done(len(looks))
        looked = Looked(options, sample, tuple(looks), shared)
        if work is not None:
            result = {SETTINGS: settings, "data": sample.report, **summarise(looked), LOOKS: list(map(asdict, looks))}
            work.finish(encode_line(result))
            console.print(f"{options.out}: written")
    return looked


def _looks_of_result(result: Mapping[str, Any], out: Path, parts: Sequence[Part]) -> tuple[Look, ...]:
    """Those of an earlier, equal command.

    Raises:
        InputError: they are not the looks at these problems.
    """
    try:
        return tuple(_read_looks(result.get(LOOKS), [visit for part in parts for visit in _visits(part)]))
    except ValueError as error:
        raise InputError(f"{out}: line 1, {LOOKS}: {error}; restore or remove the file") from error


def _looks_of_work(work: WorkFile, parts: Sequence[Part]) -> list[Look]:
    """Those that were finished before a stop.

    Raises:
        InputError: a line does not hold the looks of its part, or there are more lines than parts.
    """
    looks: list[Look] = []
    for number, values in enumerate(work.parts):
        try:
            looks += _read_looks(values, _visits(parts[number]) if number < len(parts) else [])
        except ValueError as error:
            raise work.damaged(number + 2, f"is damaged ({error})") from error
    if len(work.parts) > len(parts):
        raise work.damaged(len(parts) + 2, "is one too many")
    return looks


def _read_looks(values: Any, visits: Sequence[tuple[str, int]]) -> list[Look]:
    """Looks as files have them.

    Args:
        visits: whose they must be, by key and round.

    Raises:
        ValueError: something else is there.
    """
    if not isinstance(values, list):
        raise ValueError(f"no list of {LOOKS}")
    looks = []
    for number, each in enumerate(values, start=1):
        try:
            looks.append(read_look(each))
        except ValueError as error:
            raise ValueError(f"number {number} is no look") from error
    if [(look.key, look.round) for look in looks] != list(visits):
        raise ValueError(f"not the {len(visits)} visits that belong there")
    return looks


def _visits(part: Part) -> list[tuple[str, int]]:
    number, problems = part
    return [(problem.key, number) for problem in problems]


def _parts(problems: Sequence[Problem], options: LookOptions) -> list[Part]:
    """Always the same, so that the batches after a kill are too."""
    size = max(1, options.batch // options.recipe.group_size)
    starts = range(0, len(problems), size)
    return [(number, problems[i : i + size]) for number in range(options.rounds) for i in starts]


@contextmanager
def _stops_are_resumable(work: WorkFile | None, first: int, total: int) -> Iterator[None]:
    """A stop says what is kept of `total` visits; the `first` ones are kept together."""
    import torch

    try:
        yield
    except Stopped as stopped:
        if work is None or not work.parts:
            together = f"the first {first} visits, which are kept together, were not done"
            raise Stopped(stopped.number, "nothing is kept without --out" if work is None else together) from None
        done = sum(map(len, work.parts))
        raise RunError(f"{work.path}: {stopped} after {done} of {total} visits; repeat the command to go on") from None
    except torch.OutOfMemoryError as error:
        raise RunError(
            f"{models.first_line(error)}; lower --batch"
            + (f" and remove {work.path}" if work is not None and work.parts else "")
        ) from error


def _looks(
    options: LookOptions,
    tokenizer: PreTrainedTokenizerBase,
    source: HintSource,
    parts: Sequence[Part],
    only_failed: bool,
    progress: LookProgress,
) -> Iterator[list[Look]]:
    if not parts:
        return
    with policy_engine(options, tokenizer, progress.drew) as engine:
        place = place_of(options.recipe, tokenizer)
        for number, problems in parts:
            yield visit_all(
                problems,
                EveryLevel((NO_HINT, *options.levels), only_failed=only_failed),
                source,
                engine,
                options.recipe.group_size,
                VisitContext(number, number, place.hinted, place.fits, fits_request=place.fits_request),
                lambda text: len(tokenizer.encode(text, add_special_tokens=False)),
            )


def visit_all(
    problems: Sequence[Problem],
    plan: EveryLevel,
    source: HintSource,
    engine: BatchEngine,
    group_size: int,
    context: VisitContext,
    count_tokens: Callable[[str], int],
) -> list[Look]:
    """One visit to each problem, all in lock-step, as a training step does."""
    costs: list[dict[int, HintCost]] = [{} for _ in problems]
    episodes = [
        counting(run_visit(problem, plan, source, group_size, context), counted)
        for problem, counted in zip(problems, costs, strict=True)
    ]
    visits = drive_lockstep(episodes, engine)
    return [Look.of(visit, counted, count_tokens) for visit, counted in zip(visits, costs, strict=True)]

"""`selfhint diagnose`: which problems give no signal, what hints would open, the cost, and what to train with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console

from selfhint.cli.look_options import LookOptions
from selfhint.cli.look_tables import interval, level_names, number, percent, print_table, quantity_table
from selfhint.cli.looking import Looked, look, plain_sample
from selfhint.diagnosis import (
    Advice,
    Estimate,
    LevelSummary,
    MethodCost,
    Opening,
    Signal,
    advise,
    method_costs,
    opened_by_drawing_again,
    openings,
    share_of,
    signal_of,
    summarise_levels,
)

NO_SOLUTIONS = "no problem that failed has a usable solution"
METHOD_NAMES = {"grpo": "plain GRPO", "sage-light": "SAGE-light, settled", "sage": "SAGE"}
BUCKETS = (("none", 0.0), ("up to 1/4", 0.25), ("up to 1/2", 0.5), ("up to 3/4", 0.75), ("more", 1.0))
"""Names of the success counts, and the share up to which each reaches."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All figures.

    Args:
        num_failed: groups without a hint in which all completions are wrong.
        num_hintable: of these, the ones whose problem has a usable solution.
        hinted: share of the latter with an accepted hint at some level.
        again: what one, two … more groups without a hint would open of them, expected; as many as levels.
    """

    signal: Signal
    num_failed: int
    num_hintable: int
    levels: tuple[LevelSummary, ...]
    openings: tuple[Opening, ...]
    hinted: Estimate
    again: tuple[float | None, ...]
    costs: Mapping[str, MethodCost]
    advice: Advice


def diagnose(options: LookOptions, console: Console) -> None:
    """Looks, prints tables and the recommendation, and writes everything to `options.out`.

    Raises:
        InputError, RunError, Stopped: as `look`.
    """
    looked = look(options, plain_sample, lambda looked: asdict(_diagnosis(looked)), console, only_failed=True)
    diagnosis = _diagnosis(looked)
    print_table(console, _signal_table(diagnosis.signal))
    print_table(console, _level_table(diagnosis))
    print_table(console, _cost_table(diagnosis.costs, options.recipe.batch_problems))
    console.print(f"Recommendation: {diagnosis.advice.title}")
    for reason in diagnosis.advice.reasons:
        console.print(f"  - {reason}")


def _diagnosis(looked: Looked) -> Diagnosis:
    looks, options = looked.looks, looked.options
    signal = signal_of(looks)
    levels = summarise_levels(looks, options.levels, options.recipe.group_size, options.recipe.max_completion_tokens)
    opened = openings([one for one in looks if not one.has_no_solution], options.levels)
    failed = [one for one in looks if one.bare.failed]
    hintable = [one for one in failed if not one.has_no_solution]
    hinted = share_of(sum(len(one.groups) > 1 for one in hintable), len(hintable), len({one.key for one in hintable}))
    bare = [one.bare for one in looks if not one.bare.unscored]
    again = tuple(opened_by_drawing_again(bare, times) for times in range(1, len(opened) + 1))
    costs = method_costs(looks, shared_requests=looked.shared_requests)
    return Diagnosis(
        signal=signal,
        num_failed=len(failed),
        num_hintable=len(hintable),
        levels=tuple(levels),
        openings=tuple(opened),
        hinted=hinted,
        again=again,
        costs=costs,
        advice=advise(
            signal,
            opened,
            hinted,
            costs,
            again=again[-1],
            num_without_solution=len(failed) - len(hintable),
            at_limit=levels[0].at_limit,
            no_hints_because=looked.sample.no_hints_because or (NO_SOLUTIONS if failed and not hintable else None),
        ),
    )


def _signal_table(signal: Signal) -> Any:
    shares = {
        "all wrong": signal.all_wrong,
        "mixed: they teach": signal.mixed,
        "all correct": signal.all_correct,
        "not judged": signal.unscored,
    }
    rows: list[tuple[str, Sequence[str]]] = [
        (name, (percent(share.value), interval(share))) for name, share in shares.items()
    ]
    counts = [0] * len(BUCKETS)
    for problem in signal.problems:
        rate = problem.correct / problem.drawn
        counts[next(i for i, (_, highest) in enumerate(BUCKETS) if rate <= highest)] += 1
    rows += [
        (f"problems with {name} correct", (number(count), "")) for (name, _), count in zip(BUCKETS, counts, strict=True)
    ]
    title = f"Without hints: {signal.num_groups} groups of {signal.num_problems} problems"
    return quantity_table(title, ("share", "95 %"), rows)


def _level_table(diagnosis: Diagnosis) -> Any:
    by_level = {summary.level: summary for summary in diagnosis.levels}
    opened = diagnosis.openings
    rows: list[tuple[str, Sequence[str]]] = [
        ("got a hint", [number(o.hinted) for o in opened]),
        ("opened by this level", [percent(o.opened.value) for o in opened]),
        ("  95 % interval", [interval(o.opened) for o in opened]),
        ("opened up to this level", [percent(o.opened_so_far.value) for o in opened]),
        ("  95 % interval", [interval(o.opened_so_far) for o in opened]),
        ("as many groups without a hint would open", [percent(share) for share in diagnosis.again]),
        ("success rate with the hint", [percent(by_level[o.level].success.value) for o in opened]),
    ]
    without = diagnosis.num_failed - diagnosis.num_hintable
    title = f"{diagnosis.num_hintable} groups that failed without a hint"
    title += f", besides {without} of problems without a usable solution" if without else ""
    return quantity_table(title, level_names([o.level for o in opened]), rows)


def _cost_table(costs: Mapping[str, MethodCost], batch: int) -> Any:
    base = costs["grpo"].tokens
    rows: list[tuple[str, Sequence[str]]] = [
        ("completions", [number(c.completions * batch) for c in costs.values()]),
        ("sampled tokens", [number(c.tokens * batch) for c in costs.values()]),
        ("  of them to write hints", [number(c.hint_tokens * batch) for c in costs.values()]),
        ("  times plain GRPO", [number(c.tokens / base, 2) for c in costs.values()]),
        ("groups that teach", [percent(c.signal) for c in costs.values()]),
    ]
    title = f"A step of {batch} such problems, with the policy as it is"
    return quantity_table(title, [METHOD_NAMES[name] for name in costs], rows)

"""Every scheduler at the paper's scale, without a model: 64,000 problems, 128 a step, groups of 8, 500 steps.

    python benchmarks/scheduler_scale.py

The real episodes, schedulers, hint source, ledger and lock-step driver run on a policy made of success probabilities
that learns where groups give a signal (scale_policy.py); its hidden parameters are chosen so that plain GRPO shows the
shares of the paper's Table 2 (scale_fit.py). Writes benchmarks/results/scheduler_scale.json and prints the tables of
docs/results.md. Under 5 minutes on one core.

Not simulated: text, so no refused hint; lengths, which are two constants; the update's noise, clipping and forgetting;
time other than tokens.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from scale_fit import PAPER, fitted
from scale_policy import Learner
from scale_run import Outcome, Scale, make_problems, simulate

from selfhint.config import MethodSettings
from selfhint.core.levels import NO_HINT
from selfhint.engines.build import make_scheduler

RESULTS = Path(__file__).parent / "results" / "scheduler_scale.json"

SCHEDULERS: dict[str, dict[str, Any]] = {
    "none": {"method": "grpo"},
    "ladder": {"method": "sage"},
    "epoch": {"method": "sage-light"},
    "epoch, never down": {"method": "sage-light-paper"},
    "fixed 1": {"method": "fixed", "scheduler": {"level": 1}},
    "fixed 2": {"method": "fixed", "scheduler": {"level": 2}},
    "fixed 3": {"method": "fixed", "scheduler": {"level": 3}},
    "window": {"method": "window"},
    "gate": {"method": "gate"},
}
"""Label → recipe words. The first is what others are measured against."""
PLAIN = "none"
COMPARED = ("none", "ladder", "gate")
"""Where only the methods in question are run."""

LLAMA, QWEN25, QWEN3 = PAPER
PAPER_SIZE = Scale()
ONE_VISIT = "eighth of the batch, 1 visit a problem"
EIGHTHS = {
    ONE_VISIT: Scale(problems=8_000, batch=16),
    "eighth of the batch, 8 visits a problem": Scale(problems=1_000, batch=16),
}
"""An eighth of the paper's batch, and of 64,000 or 8,000 problems."""
SEEDS = range(1, 5)
COLUMNS = {
    "scheduler": "scheduler",
    "tokens": "tokens, × GRPO",
    "signal": "kept groups mixed",
    "hinted": "hinted",
    "never": "never solved",
    "never_without_hint": "without a hint",
    "success": "success without hints",
    "gain": "its gain, × GRPO's",
    "success_equal_tokens": "at equal tokens",
    "tokens_to_plain": "tokens to GRPO's success, × GRPO",
}
"""Of the tables: name in a row → heading."""

T_95 = 3.182
"""Student's t for four seeds."""


@dataclass(frozen=True, slots=True)
class Case:
    """One model's learner at one size.

    Args:
        name: what the rows say.
        model: of the paper's table.
        scale: sizes; the group size is the model's.
        seeds, schedulers: what is run.
        changed: fields of the learner that are not the default.
    """

    name: str
    model: str
    scale: Scale
    seeds: Sequence[int] = SEEDS
    schedulers: Sequence[str] = tuple(SCHEDULERS)
    changed: Mapping[str, float] | None = None


GRID = (
    Case("paper's size, 1 visit a problem", QWEN25, PAPER_SIZE, seeds=(1,)),
    *(Case(name, model, scale) for model in (LLAMA, QWEN25) for name, scale in EIGHTHS.items()),
    Case(ONE_VISIT, QWEN3, EIGHTHS[ONE_VISIT], schedulers=COMPARED),
)
SENSITIVITY: dict[str, dict[str, float]] = {
    "hints worth 0 logits": {"hint_logits": 0.0},
    "hints worth 1.5 logits": {"hint_logits": 1.5},
    "hints worth 6 logits": {"hint_logits": 6.0},
    "half of a hinted lesson counts without hints": {"transfer": 0.5},
    "nothing of it": {"transfer": 0.0},
    "groups teach problems within 2 logits": {"reach": 2.0},
    "abilities closer together, sd 2": {"ability_sd": 2.0},
    "abilities wider apart, sd 3.5": {"ability_sd": 3.5},
    "failed completions no longer than others": {"failed_tokens": 1000},
}
"""One thing changed at a time, for Llama at an eighth of the batch, one seed; ability and rate are fitted anew."""

Row = dict[str, Any]


def run_case(case: Case) -> list[Row]:
    """A row for each seed and scheduler."""
    row = PAPER[case.model]
    scale = replace(case.scale, group_size=row.group_size)
    learner = fitted(Learner(ability_mean=0.0, **(case.changed or {})), row, scale.steps)
    problems = make_problems(scale.problems)
    rows = []
    for seed in case.seeds:
        outcomes = {}
        for name in case.schedulers:
            scheduler = make_scheduler(MethodSettings(**SCHEDULERS[name]), seed=seed, steps=scale.steps)
            outcomes[name] = simulate(scale, learner, scheduler, problems, seed)
        budget = min(outcome.tally.tokens for outcome in outcomes.values())
        rows += [
            {"case": case.name, "model": case.model, "seed": seed, "scheduler": name}
            | measures(outcome, outcomes[PLAIN], scale, budget)
            for name, outcome in outcomes.items()
        ]
    return rows


def measures(run: Outcome, plain: Outcome, scale: Scale, budget: int) -> Row:
    """What one run shows.

    Args:
        plain: plain GRPO's run of the same seed.
        budget: tokens that every run of this seed sampled.
    """
    tally = run.tally
    begun, ended, plain_ended = tally.curve[0][1], tally.curve[-1][1], plain.tally.curve[-1][1]
    as_good_as_plain = tokens_at(tally.curve, plain_ended)
    return {
        "tokens_M": tally.tokens / 1e6,
        "tokens": tally.tokens / plain.tally.tokens,
        "hint_tokens": tally.hint_tokens / tally.tokens,
        "completions": tally.completions / plain.tally.completions,
        "whole_batch": tally.rounds / scale.steps,
        "signal": tally.signal / tally.visits,
        "hinted": 1.0 - tally.kept_at[NO_HINT] / tally.visits,
        "started_hinted": 1.0 - tally.started_at[NO_HINT] / tally.visits,
        "never": run.never_solved,
        "never_without_hint": run.never_solved_without_hint,
        "success_begun": begun,
        "success": ended,
        "success_equal_tokens": success_at(tally.curve, budget),
        "gain": (ended - begun) / (plain_ended - begun),
        "tokens_to_plain": None if as_good_as_plain is None else as_good_as_plain / plain.tally.tokens,
    }


def success_at(curve: Sequence[tuple[int, float]], tokens: int) -> float:
    """Mean success without hints after so many tokens, between the points of a curve on a straight line."""
    for (low, before), (high, after) in pairwise(curve):
        if tokens <= high:
            return before + (after - before) * (tokens - low) / (high - low)
    raise ValueError(f"the curve ends at {curve[-1][0]} tokens, before {tokens}")


def tokens_at(curve: Sequence[tuple[int, float]], success: float) -> float | None:
    """Tokens after which mean success without hints passes a value; None where it never does."""
    for (low, before), (high, after) in pairwise(curve):
        if after >= success:
            return low + (high - low) * max(success - before, 0.0) / (after - before)
    return None


def averaged(rows: Sequence[Row]) -> Row:
    """Rows of several seeds as one: `mean` or `mean ± half of the 95 % interval`."""
    labels = {key: value for key, value in rows[0].items() if isinstance(value, str)}
    numbers = {key: [row[key] for row in rows] for key in rows[0] if key not in (*labels, "seed")}
    return labels | {key: _estimate(values) for key, values in numbers.items()}


def _estimate(values: Sequence[float | None]) -> str:
    numbers = [value for value in values if value is not None]
    if len(numbers) < len(values):
        return f"– in {len(values) - len(numbers)} of {len(values)}"
    if len(numbers) == 1:
        return f"{numbers[0]:.3f}"
    half = T_95 * stdev(numbers) / len(numbers) ** 0.5
    return f"{mean(numbers):.3f} ± {half:.3f}" if half else f"{numbers[0]:.3f}"


def grouped(rows: Iterable[Row], *names: str) -> dict[tuple[str, ...], list[Row]]:
    """Rows by what they say under some names, in the order run."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def published(rows: Iterable[Row]) -> list[Row]:
    """SAGE at one visit a problem against the paper's tables, one row a model; gains are times plain GRPO's."""
    compared = []
    for (case, model, scheduler), runs in grouped(rows, "case", "model", "scheduler").items():
        if (case, scheduler) == (ONE_VISIT, "ladder"):
            paper, run = PAPER[model], averaged(runs)
            base, grpo, _, sage = paper.scores
            compared.append(
                {
                    "model": model,
                    "paper: base": f"{paper.never_base:.3f}",
                    "GRPO": f"{paper.never_grpo:.3f}",
                    "SAGE": f"{paper.never_sage:.3f}",
                    "simulated SAGE, hinted successes count": run["never"],
                    "they do not": run["never_without_hint"],
                    "paper: gain of SAGE": f"{(sage - base) / (grpo - base):.2f}",
                    "simulated": run["gain"],
                }
            )
    return compared


def rounded(rows: Iterable[Row]) -> list[Row]:
    """Rows as the results keep them."""
    return [{k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()} for row in rows]


def print_table(columns: Mapping[str, str], rows: Sequence[Row]) -> None:
    print("| " + " | ".join(columns.values()) + " |\n|" + "---|" * len(columns))
    for row in rows:
        print("| " + " | ".join(row[name] for name in columns) + " |")
    print(flush=True)


def print_tables(grid: Sequence[Row], sensitivity: Sequence[Row]) -> None:
    compared = published(grid)
    print_table({name: name for name in compared[0]}, compared)
    for (case, model), rows in grouped(grid, "case", "model").items():
        print(f"{model}, {case}:\n")
        print_table(COLUMNS, [averaged(seeds) for seeds in grouped(rows, "scheduler").values()])
    changed = {"case": "changed"} | {name: COLUMNS[name] for name in COLUMNS if name not in ("hinted", "success")}
    print_table(changed, [averaged([row]) for row in sensitivity if row["scheduler"] != PLAIN])


def main() -> None:
    gc.disable()  # a run keeps what it makes; looking for cycles among it takes a third of the time
    started = time.process_time()
    grid = [row for case in GRID for row in run_case(case)]
    sensitivity = [
        row
        for variant, changed in SENSITIVITY.items()
        for row in run_case(Case(variant, LLAMA, EIGHTHS[ONE_VISIT], SEEDS[:1], COMPARED, changed))
    ]
    learners = {model: asdict(fitted(Learner(ability_mean=0.0), row, PAPER_SIZE.steps)) for model, row in PAPER.items()}
    seconds = round(time.process_time() - started)
    setup = {"learners": learners, "scale": asdict(PAPER_SIZE), "cpu_seconds": seconds}
    results = {"setup": setup, "rows": rounded(grid), "sensitivity": rounded(sensitivity)}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    print_tables(grid, sensitivity)
    print(f"{seconds} s on one core")


if __name__ == "__main__":
    main()

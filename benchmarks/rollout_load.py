"""How failing groups change the rollouts of a step: plain GRPO, the ladder with barriers, a ladder for each problem.

    python benchmarks/rollout_load.py --problems 128 --group 8 --failing 0.4 --replicas 8 --slots 64
    python benchmarks/rollout_load.py --grid

The real episode code runs in simulated time on a fleet of replicas × slots; both ladders draw the same completions.
The first form prints a table for one fleet; give it the lengths and the speed of a real run to size that run's fleet.
--grid writes benchmarks/results/rollout_load.json and prints the tables of the documents.

Not simulated: a replica that slows down as its batch grows, prefix caches, routing between replicas, verdicts, refused
hints, the update and the weight sync.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import mean

from rollout_fleet import Outcome, compare
from rollout_traces import Load, Traces

from selfhint.core.errors import InputError
from selfhint.hints.formats import HintFormat, JsonFormat, TextFormat

RESULTS = Path(__file__).parent / "results" / "rollout_load.json"
FAILING = (0.0, 0.2, 0.4, 0.6, 0.8)
FLEETS = {"free": 1.0, "1/2": 1 / 2, "1/4": 1 / 4, "1/8": 1 / 8, "1/32": 1 / 32}
"""Slots as a share of the first wave, P · G; with all of it no completion ever waits."""
GRID_SEEDS = range(10)
DEFAULT = Load()
INDEPENDENT = replace(DEFAULT, problem_share=0.0)
LENGTHS = {"half of the variance between problems": DEFAULT, "independent of the problem": INDEPENDENT}
VARIANTS: dict[str, tuple[Load, HintFormat]] = {
    "default": (DEFAULT, JsonFormat()),
    "sigma 0.4": (replace(DEFAULT, sigma=0.4), JsonFormat()),
    "sigma 1.2": (replace(DEFAULT, sigma=1.2), JsonFormat()),
    "0.8 of the variance between problems": (replace(DEFAULT, problem_share=0.8), JsonFormat()),
    "independent lengths": (INDEPENDENT, JsonFormat()),
    "independent lengths, sigma 0.4": (replace(INDEPENDENT, sigma=0.4), JsonFormat()),
    "independent lengths, sigma 1.2": (replace(INDEPENDENT, sigma=1.2), JsonFormat()),
    "failing problems twice as long": (replace(DEFAULT, failing_length=2.0), JsonFormat()),
    "at most 32768 tokens": (replace(DEFAULT, max_tokens=32768), JsonFormat()),
    "all open at level 1": (replace(DEFAULT, opening_chances=(1.0, 0.0, 0.0, 0.0)), JsonFormat()),
    "none opens": (replace(DEFAULT, opening_chances=(0.0, 0.0, 0.0, 1.0)), JsonFormat()),
    "a hint request for each level": (DEFAULT, TextFormat()),
}
"""One thing changed at a time (sigma for independent lengths too), at 40 % failing."""
VARIANT_FLEETS = ("free", "1/8")

Row = dict[str, float | str | int]


def row(traces: Sequence[Traces], slots: int, hint_format: HintFormat) -> Row:
    """One case over several seeds: means, and the range of the ratio."""
    runs = [compare(one, slots, hint_format) for one in traces]

    def average(of: str) -> dict[str, float]:
        return {f"{name}_{of}": mean(getattr(run[name], of) for run in runs) for name in runs[0]}

    ratios = [run["barrier"].seconds / run["ladder"].seconds for run in runs]
    seconds = average("seconds")
    return {
        "slots": slots,
        **{name: round(value, 1) for name, value in seconds.items()},
        "ladder_over_plain": round(seconds["ladder_seconds"] / seconds["plain_seconds"], 2),
        "ratio": round(mean(ratios), 2),
        "ratio_least": round(min(ratios), 2),
        "ratio_most": round(max(ratios), 2),
        **{name: round(value, 1) for name, value in average("completions").items()},
        **{name: round(value, 3) for name, value in average("slot_use").items()},
    }


def rows(load: Load, fleets: Iterable[str], hint_format: HintFormat, **labels: str | float) -> list[Row]:
    """One load on several fleets."""
    traces = [Traces(load, seed) for seed in GRID_SEEDS]
    return [
        {**labels, "fleet": fleet, **row(traces, max(1, round(load.first_wave * FLEETS[fleet])), hint_format)}
        for fleet in fleets
    ]


def grid() -> None:
    """Writes the results and prints the tables of the documents."""
    cases = [
        line
        for lengths, load in LENGTHS.items()
        for failing in FAILING
        for line in rows(replace(load, failing=failing), FLEETS, JsonFormat(), lengths=lengths, failing=failing)
    ]
    sensitivity = [
        line
        for variant, (load, hint_format) in VARIANTS.items()
        for line in rows(load, VARIANT_FLEETS, hint_format, variant=variant)
    ]
    setup = {"seeds": len(GRID_SEEDS), "load": asdict(DEFAULT)}
    RESULTS.write_text(json.dumps({"setup": setup, "rows": cases, "sensitivity": sensitivity}, indent=1) + "\n")
    seconds = ("plain_seconds", "barrier_seconds", "ladder_seconds", "ratio", "ratio_least", "ratio_most")
    use = ("ladder_over_plain", "ladder_completions", "plain_slot_use", "barrier_slot_use", "ladder_slot_use")
    print_table(("lengths", "failing", "fleet", *seconds, *use), cases)
    print_table(("variant", "fleet", *seconds), sensitivity)


def print_table(names: Sequence[str], rows: Sequence[Row]) -> None:
    print("| " + " | ".join(name.replace("_", " ") for name in names) + " |\n|" + "---|" * len(names))
    for line in rows:
        print("| " + " | ".join(str(line[name]) for name in names) + " |")
    print()


def sizing(load: Load, slots: int, seeds: Iterable[int]) -> str:
    """A table for one fleet: means over the seeds."""
    runs = [compare(Traces(load, seed), slots) for seed in seeds]
    labels = {"plain": "plain GRPO", "barrier": "SAGE, barriers", "ladder": "SAGE, a ladder each"}
    lines = [
        f"{load.problems} problems x {load.group_size} completions, {load.failing:.0%} failing, {slots} slots, "
        f"mean of {len(runs)} seeds; rollouts only",
        f"{'':20} {'seconds':>8} {'x plain':>8} {'completions':>12} {'slot use':>9}",
    ]
    for name, label in labels.items():
        outcomes: list[Outcome] = [run[name] for run in runs]
        seconds = mean(o.seconds for o in outcomes)
        times = seconds / mean(run["plain"].seconds for run in runs)
        completions, use = mean(o.completions for o in outcomes), mean(o.slot_use for o in outcomes)
        lines.append(f"{label:20} {seconds:8.1f} {times:8.2f} {completions:12.0f} {use:9.0%}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grid", action="store_true", help="the standard cases; ignores every other option")
    parser.add_argument("--problems", type=int, default=DEFAULT.problems)
    parser.add_argument("--group", type=int, default=DEFAULT.group_size)
    parser.add_argument("--failing", type=float, default=DEFAULT.failing)
    parser.add_argument("--replicas", type=int, default=8)
    parser.add_argument("--slots", type=int, default=64, help="of each replica")
    parser.add_argument("--median", type=float, default=DEFAULT.median_tokens, help="tokens of a completion")
    parser.add_argument("--sigma", type=float, default=DEFAULT.sigma, help="of log length")
    parser.add_argument(
        "--problem-share",
        type=float,
        default=DEFAULT.problem_share,
        help="share of the variance of log length between problems",
    )
    parser.add_argument("--max-tokens", type=int, default=DEFAULT.max_tokens)
    parser.add_argument("--seconds-per-token", type=float, default=DEFAULT.seconds_per_token)
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    if options.grid:
        grid()
        return
    try:
        load = Load(
            problems=options.problems,
            group_size=options.group,
            failing=options.failing,
            median_tokens=options.median,
            sigma=options.sigma,
            problem_share=options.problem_share,
            max_tokens=options.max_tokens,
            seconds_per_token=options.seconds_per_token,
        )
        if options.seeds < 1:
            raise InputError(f"--seeds is {options.seeds}; give at least 1")
        print(sizing(load, options.replicas * options.slots, range(options.seeds)))
    except InputError as error:
        print(error, file=sys.stderr)
        raise SystemExit(error.exit_code) from None


if __name__ == "__main__":
    main()

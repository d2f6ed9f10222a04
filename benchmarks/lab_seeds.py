"""SAGE and plain GRPO on the hard lab set, several seeds: success without hints at equal steps and at equal tokens.

    python benchmarks/lab_seeds.py [--seeds 5] [--jobs 2] [--out runs/lab-seeds]

Plain GRPO runs twice as many steps, so that it spends at least the tokens that SAGE spends. Runs that are in the output
folder already are used as they are. Writes benchmarks/results/lab_seeds.json and prints the table of docs/results.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from selfhint.lab.task import LabTask
from selfhint.lab.warmup import warm_policy
from selfhint.report import RunSummary, summarise

STEPS = {"sage": 200, "grpo": 400}
RESULTS = Path(__file__).parent / "results" / "lab_seeds.json"


def train(out: Path, method: str, seed: int) -> Path:
    """One run in a process of its own, on one thread."""
    folder = out / f"{method}-{seed}"
    if not (folder / "final").is_dir():
        words = [f"method={method}", f"seed={seed}", f"steps={STEPS[method]}", f"out={folder}", "save_every=1000"]
        command = [sys.executable, "-m", "selfhint", "train", *words]
        folder.parent.mkdir(parents=True, exist_ok=True)
        with open(folder.with_suffix(".log"), "w") as log:
            subprocess.run(command, check=True, stdout=log, stderr=log, env={**os.environ, "OMP_NUM_THREADS": "1"})
    return folder


def success_at_step(run: RunSummary, step: int) -> float:
    """Held-out success at the last measurement up to a step."""
    return [m.success for m in run.held_out if m.step <= step][-1]


def row(seed: int, sage: RunSummary, grpo: RunSummary) -> dict[str, float | int | None]:
    """What one seed shows."""
    equal_tokens = grpo.at_tokens(sage.tokens)
    assert equal_tokens is not None
    assert grpo.tokens >= sage.tokens, "plain GRPO spent fewer tokens than SAGE: give it more steps"
    assert sage.final is not None
    passed = sage.first_passed
    return {
        "seed": seed,
        "sage": sage.final.success,
        "grpo_equal_steps": success_at_step(grpo, STEPS["sage"]),
        "grpo_equal_tokens": equal_tokens.success,
        "sage_step_0.95": passed.step if passed else None,
        "sage_tokens_0.95": passed.tokens if passed else None,
        "sage_tokens": sage.tokens,
        "sage_hinted_last_10_steps": sage.hinted_last[0],
        "sage_never_signal": sage.never_signal,
        "grpo_never_signal": grpo.never_signal,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("runs/lab-seeds"))
    options = parser.parse_args()
    seeds = range(1, options.seeds + 1)
    warm_policy(LabTask())
    with ThreadPoolExecutor(options.jobs) as pool:
        runs = {(m, s): pool.submit(train, options.out, m, s) for s in seeds for m in STEPS}
    summaries = {key: summarise(job.result()) for key, job in runs.items()}
    rows = [row(seed, summaries["sage", seed], summaries["grpo", seed]) for seed in seeds]
    RESULTS.parent.mkdir(exist_ok=True)
    setup = {"steps": STEPS, "jobs": options.jobs, "machine": f"{os.cpu_count()} cores, {platform.machine()}"}
    RESULTS.write_text(json.dumps({"setup": setup, "rows": rows}, indent=1) + "\n")
    names = list(rows[0])
    print("| " + " | ".join(names) + " |\n|" + "---|" * len(names))
    for line in rows:
        print("| " + " | ".join(str(round(v, 3) if isinstance(v, float) else v) for v in line.values()) + " |")


if __name__ == "__main__":
    main()

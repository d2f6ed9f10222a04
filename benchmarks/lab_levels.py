"""How far the lab's warmed-up policy is from an ideal reader and writer of hints, level by level.

    python benchmarks/lab_levels.py [--problems 2000]

Writes benchmarks/results/lab_levels.json and prints the table of docs/results.md.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import get_args

from transformers import AutoModelForCausalLM, AutoTokenizer

from selfhint.lab.evaluate import level_report
from selfhint.lab.task import LabTask, ProblemSet
from selfhint.lab.warmup import warm_policy

RESULTS = Path(__file__).parent / "results" / "lab_levels.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=2000)
    options = parser.parse_args()
    task = LabTask()
    folder = warm_policy(task)
    model, tokenizer = AutoModelForCausalLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    results = {}
    print("| set | level | ideal | true hints | own hints | own hints exact |\n|---|---|---|---|---|---|")
    for kind in get_args(ProblemSet):
        problems = task.problems(kind, seed=1, num_train=0, num_held_out=options.problems).held_out
        results[kind] = [asdict(r) for r in level_report(model, tokenizer, task, problems, seed=1)]
        for r in results[kind]:
            figures = [r[name] for name in ("ideal", "true_hints", "own_hints", "hints_exact")]
            print(f"| {kind} | {r['level']} | " + " | ".join(f"{figure:.4g}" for figure in figures) + " |")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps({"problems": options.problems, "levels": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()

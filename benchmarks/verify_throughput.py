"""Pairs a second: this package's mathematics verifier against math-verify in one process, in one run.

    python benchmarks/verify_throughput.py [--pairs 10000] [--workers 2] [--data ../shared/data]

The pairs are cut into blocks, and each block is judged by every contender in turn, so that whatever else the machine
does meets all of them alike. Workers are started before. "without exact path" sends every pair to a worker. No pair
occurs twice, so the memory of verdicts helps nobody. Writes benchmarks/results/verify_throughput.json after each block.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from math_verify import parse, verify
from verify_pairs import DATA, Pair, pairs

from selfhint.core.group import Verdict
from selfhint.verify import PooledVerifier
from selfhint.verify.boxed import last_boxed
from selfhint.verify.kinds import KINDS, Request
from selfhint.verify.text import undelimited

RESULTS = Path(__file__).parent / "results" / "verify_throughput.json"
BLOCKS = 10


class WithoutExactPath:
    """The mathematics kind, with every pair sent to a worker."""

    name = "math"

    def __init__(self) -> None:
        self.canary = KINDS["math"]().canary

    def quick(self, gold: object, prediction: str) -> Verdict | Request:
        """Always a request."""
        answer = undelimited(last_boxed(prediction) or "")
        gold = undelimited(str(gold))
        return {"kind": "math", "gold": gold, "answer": answer, "whole": True, "extracted": answer}


def in_process(block: Sequence[Pair]) -> list[bool]:
    """math-verify as its readme uses it, the gold between dollar signs, since it reads few bare ones."""
    return [verify(parse(f"${pair.gold}$"), parse(pair.prediction)) for pair in block]


def judged_by(verifier: PooledVerifier) -> Callable[[Sequence[Pair]], list[bool]]:
    def judge(block: Sequence[Pair]) -> list[bool]:
        verdicts = verifier.judge([pair.gold for pair in block], [pair.prediction for pair in block])
        return [verdict.correct is True for verdict in verdicts]

    return judge


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args()
    drawn = pairs(options.data, options.pairs)
    verifiers = {
        "ours": PooledVerifier(KINDS["math"](), workers=options.workers),
        "ours without exact path": PooledVerifier(WithoutExactPath(), workers=options.workers),
    }
    contenders = {"math-verify": in_process, **{name: judged_by(v) for name, v in verifiers.items()}}
    warm = [Pair(f"{i}.5", rf"\frac{{{2 * i + 1}}}{{2}}", True) for i in range(20 * options.workers)]
    for judge in contenders.values():
        judge(warm)
    load = os.getloadavg()[0]
    seconds = dict.fromkeys(contenders, 0.0)
    agree = dict.fromkeys(contenders, 0)
    size = -(-len(drawn) // BLOCKS)
    done: list[Pair] = []
    for i in range(0, len(drawn), size):
        block = drawn[i : i + size]
        names = list(contenders)
        turn = i // size % len(names)
        for name in names[turn:] + names[:turn]:
            began = time.perf_counter()
            found = contenders[name](block)
            seconds[name] += time.perf_counter() - began
            agree[name] += sum(f == pair.right for f, pair in zip(found, block, strict=True))
        done += block
        result = {
            "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
            "load_before": round(load, 2),
            "load_after": round(os.getloadavg()[0], 2),
            "workers": options.workers,
            "pairs": len(done),
            "right_pairs": sum(pair.right for pair in done),
            "boxed_as_the_gold_stands": sum(pair.answer == pair.gold for pair in done),
            "contenders": {
                name: {
                    "seconds": round(seconds[name], 1),
                    "pairs_per_second": round(len(done) / seconds[name], 1),
                    "times_math_verify": round(seconds["math-verify"] / seconds[name], 2),
                    "as_made": round(agree[name] / len(done), 4),
                }
                for name in contenders
            },
        }
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(result, indent=1) + "\n")
    for verifier in verifiers.values():
        verifier.close()
    print(RESULTS.read_text())


if __name__ == "__main__":
    main()

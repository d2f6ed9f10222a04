"""Resident memory of the verifier's process and of its workers over many different pairs.

    python benchmarks/verify_memory.py [--pairs 100000] [--workers 2] [--data ../shared/data]

Every pair is new, so that each asks the exact path or a worker. Linux only: the sizes come from /proc. Writes
benchmarks/results/verify_memory.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from verify_pairs import DATA, golds, near

from selfhint.verify import make_verifier

RESULTS = Path(__file__).parent / "results" / "verify_memory.json"
MEASURES = 20


def resident(pid: int) -> float:
    """MiB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, 1)


def different_pairs(folder: Path) -> Iterator[tuple[str, str]]:
    """Golds with something near them, each pair once."""
    seen: set[int] = set()
    for pair in near(golds(folder), random.Random(0)):
        key = hash(pair)
        if key not in seen:
            seen.add(key)
            yield pair.gold, pair.prediction


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args()
    drawn = list(islice(different_pairs(options.data), options.pairs))
    verifier = make_verifier("math", workers=options.workers)
    load, began, sizes = os.getloadavg()[0], time.perf_counter(), []
    every = -(-len(drawn) // MEASURES)
    for num, _ in enumerate(verifier.stream(drawn), start=1):
        if num % every == 0 or num == len(drawn):
            pids = sorted(verifier._pool.pids) if verifier._pool is not None else []
            sizes.append({"pairs": num, "own_mib": resident(os.getpid()), "worker_mib": {p: resident(p) for p in pids}})
            print(sizes[-1], flush=True)
    seconds = time.perf_counter() - began
    verifier.close()
    result = {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        "load_before": round(load, 2),
        "pairs": len(drawn),
        "seconds": round(seconds, 1),
        "sizes": sizes,
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()

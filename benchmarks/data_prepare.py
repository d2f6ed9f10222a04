"""Rows a second and memory of `selfhint data prepare`.

    python benchmarks/data_prepare.py [--rows 20000] [--against FILE …]

Rows are made up: word problems with names and numbers, one in a hundred twice and one in a hundred nearly so, whose
reference solutions end in the answer. The command runs in a process of its own, whose peak memory and processor time
are read afterwards; its verifier's workers are not in them (no row needs one). Each number of rows has its entry in
benchmarks/results/data_prepare.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

RESULTS = Path(__file__).parent / "results" / "data_prepare.json"
NAMES = ("Ada", "Bela", "Chen", "Dara", "Emil", "Fola", "Gita", "Hugo", "Ines", "Jomo", "Kofi", "Lena", "Milo", "Nora")
THINGS = ("apples", "marbles", "stamps", "tickets", "books", "pencils", "cards", "shells", "coins", "stickers", "beads")
STORIES = (
    "{a} has {x} boxes with {y} {t} in each of them. {b} gives {a} another {z} {t} on the way to school. "
    "How many {t} does {a} have in the evening, if none of them is lost on the way?",
    "In a shop {t} cost {y} cents each. {a} buys {x} of them and pays {z} cents for a bag to carry them home in. "
    "How many cents does {a} pay altogether at the desk of the shop, where {b} works?",
)


def rows(num: int) -> Iterator[dict[str, str]]:
    rng = random.Random(0)
    row: dict[str, str] = {}
    for i in range(num):
        if i % 100 == 50:
            yield row
            continue
        if i % 100 == 51:
            yield row | {"problem": f"Please read with care. {row['problem'].replace('another', 'anoter')}"}
            continue
        x, y, z = (rng.randint(2, 400) for _ in range(3))
        a, b = rng.sample(NAMES, 2)
        problem = rng.choice(STORIES).format(a=a, b=b, t=rng.choice(THINGS), x=x, y=y, z=z)
        solution = f"First, {x} * {y} = {x * y}.\nThen {x * y} + {z} = {x * y + z}.\n#### {x * y + z}"
        row = {"problem": problem, "solution": solution, "answer": str(x * y + z)}
        yield row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--against", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "rows.jsonl"
        with source.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows(options.rows))
        command = [sys.executable, "-m", "selfhint", "data", "prepare", str(source), f"{folder}/out"]
        for benchmark in options.against:
            command += ["--against", str(benchmark)]
        began = time.perf_counter()
        subprocess.run(command, check=True)
        seconds = time.perf_counter() - began
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        manifest = json.loads((Path(folder) / "out" / "manifest.json").read_bytes())
    processor = used.ru_utime + used.ru_stime
    results = json.loads(RESULTS.read_bytes()) if RESULTS.exists() else {}
    results[f"{options.rows} rows, {len(options.against)} benchmarks"] = {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        "load": round(os.getloadavg()[0], 1),
        "seconds": round(seconds, 1),
        "processor_seconds": round(processor, 1),
        "rows_per_second": round(options.rows / seconds),
        "rows_per_processor_second": round(options.rows / processor),
        "peak_megabytes": round(used.ru_maxrss / 1024),
        "kept": manifest["rows"]["kept"],
        "left_out": {reason: rows["count"] for reason, rows in manifest["left_out"].items()},
        "compared_in_part": manifest["compared_in_part"],
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    print(RESULTS.read_text())


if __name__ == "__main__":
    main()

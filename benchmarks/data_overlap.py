"""How well `data prepare` finds planted near-duplicates, and how often it takes another problem for one.

    python benchmarks/data_overlap.py [--data ../shared/data] [--each 60]

Problems of GSM8K and MATH (training) and of the benchmarks are changed in ways that leave them the same problem, or
that make another problem of the same template (`data_plants.py`). The former stay with their answer. The latter come
twice: with an answer of their own, as in life, and, harder, with the old one. Each set goes through `prepare`, beside
all original rows or against the benchmarks. Writes benchmarks/results/data_overlap.json.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from data_plants import DUPLICATES, OTHERS, plant

from selfhint.data.prepare.run import LEFT_OUT, prepare
from selfhint.data.prepare.settings import PrepareSettings, Tools
from selfhint.diagnosis.intervals import wilson

RESULTS = Path(__file__).parent / "results" / "data_overlap.json"
DATA = Path(__file__).parents[2] / "shared" / "data"
TRAINING = ("gsm8k_train_2000", "math_train_2000")
BENCHMARKS = (
    "math500",
    "gsm8k_test",
    "olympiadbench_math_en",
    "amc23",
    "aime24",
    "aime25",
    "minerva_math",
    "mmlu_pro_1400",
)
TOOLS = Tools(make_prompt=lambda question: question)
Row = dict[str, str]
UNRELATED = {"problem": "Which word is the first of this question?", "answer": "Which"}


def rows_of(data: Path, names: tuple[str, ...]) -> list[Row]:
    lines = [line for name in names for line in (data / f"{name}.jsonl").read_text("utf-8").split("\n") if line]
    return [{name: json.loads(line)[name] for name in ("problem", "answer")} for line in lines]


def plants_of(rows: list[Row], each: int, rng: random.Random, *, duplicates: bool) -> list[tuple[str, Row]]:
    """(kind, row), `each` of a kind."""
    found: dict[str, list[Row]] = {kind: [] for kind in (DUPLICATES if duplicates else OTHERS)}
    for row in rng.sample(rows, len(rows)):
        for made in plant(row["problem"], rng, duplicates=duplicates):
            if len(found[made.kind]) < each:
                found[made.kind].append({"problem": made.text, "answer": row["answer"]})
        if all(len(rows) == each for rows in found.values()):
            break
    return [(kind, row) for kind, rows in found.items() for row in rows]


def dropped(rows: list[Row], folder: Path, settings: PrepareSettings) -> set[int]:
    """Numbers, from 0, of the rows that are left out."""
    source = folder / "source.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    prepare(source, folder / "out", settings, TOOLS, overwrite=True)
    lines = (folder / "out" / LEFT_OUT).read_text("utf-8").splitlines()
    return {int(json.loads(line)["row"].removeprefix("line ")) - 1 for line in lines}


def found(originals: list[Row], plants: list[tuple[str, Row]], folder: Path, settings: PrepareSettings) -> Counter[str]:
    """How many plants of a kind are taken for repetitions: there are that many rows less than without them."""
    alone = dropped(originals, folder, settings)
    counts: Counter[str] = Counter()
    for kind in dict.fromkeys(kind for kind, _ in plants):
        of_kind = [row for other, row in plants if other == kind]
        together = dropped([*originals, *of_kind], folder, settings)
        counts[kind] = len(together) - len(alone)
    return counts


def share(num: int, total: int) -> dict[str, Any]:
    low, high = wilson(num / total, total)
    return {"found": num, "of": total, "share": round(num / total, 4), "low": round(low, 4), "high": round(high, 4)}


def measure(rows: list[Row], originals: list[Row], settings: PrepareSettings, each: int) -> dict[str, Any]:
    rng = random.Random(2026)
    same = plants_of(rows, each, rng, duplicates=True)
    others = plants_of(rows, each, rng, duplicates=False)
    with tempfile.TemporaryDirectory() as folder:
        hits = found(originals, same, Path(folder), settings)
        false = {
            name: found(originals, [(kind, change(row)) for kind, row in others], Path(folder), settings)
            for name, change in {"own answer": with_own_answer, "same answer": dict}.items()
        }
    result: dict[str, Any] = {
        "recall": {**{k: share(hits[k], each) for k in hits}, "all": share(hits.total(), len(same))},
        "taken for one": {
            name: {**{k: share(counts[k], each) for k in counts}, "all": share(counts.total(), len(others))}
            for name, counts in false.items()
        },
    }
    for name, counts in false.items():
        result[f"precision, {name}"] = share(hits.total(), hits.total() + counts.total())
    return result


def with_own_answer(row: Row) -> Row:
    answer = row["answer"]
    is_letter = len(answer) == 1 and answer in "ABCDEFGHIJ"
    return row | {"answer": "ABCDEFGHIJ"["ABCDEFGHIJ".index(answer) - 1] if is_letter else f"{answer}1"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--each", type=int, default=60)
    options = parser.parse_args()
    training, benchmarks = (rows_of(options.data, names) for names in (TRAINING, BENCHMARKS))
    against = tuple(str(options.data / f"{name}.jsonl") for name in BENCHMARKS)
    result = {
        "near-duplicates in one set": measure(training, training, PrepareSettings(), options.each),
        "benchmark problems in a training set": measure(
            benchmarks, [UNRELATED], PrepareSettings(against=against, near=False), options.each
        ),
    }
    RESULTS.write_text(json.dumps(result, indent=1) + "\n")
    print(RESULTS.read_text())


if __name__ == "__main__":
    main()

"""How many leaking hints the guard catches and how many clean ones it refuses, on the labelled set in `cases/`.

Usage: `python benchmarks/leak_guard.py [--out benchmarks/results/leak_guard.json] [--show tuning]`. The problems are
split by a hash of their names; rules were chosen on the tuning part alone. `cases/README.md` has the guideline.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from selfhint.core.problem import Problem
from selfhint.diagnosis.intervals import wilson
from selfhint.hints import FORMATS
from selfhint.hints.leak import refusal

CASES = Path(__file__).parent / "cases"
OUT = Path(__file__).parent / "results" / "leak_guard.json"
TEST_SHARE = 0.6

PARTS = (
    "tuning",
    "test",
    "second test",
    "independent, tuning",
    "independent, test",
    "second independent, tuning",
    "third independent, test",
)

Row = dict[str, str | int]


def parts_of(problems: Iterable[dict[str, str]]) -> dict[str, str]:
    """Problem → its part.

    Of each kind of answer, the problems with the smallest hashes are for tuning. The problems whose number begins with
    f came after the look at the test part. Those with t, with their hints and labels, are by people who never saw the
    guard; those up to t05 may be looked at, the others are the frozen test. Those with u are of the same kind, by
    others, and may all be looked at; those with v, by others again, are a frozen test.
    """
    parts: dict[str, str] = {}
    kinds: dict[str, list[str]] = {}
    for problem in problems:
        kind, _, number = problem["id"].partition("-")
        if number[0] == "f":
            parts[problem["id"]] = "second test"
        elif number[0] == "u":
            parts[problem["id"]] = "second independent, tuning"
        elif number[0] == "v":
            parts[problem["id"]] = "third independent, test"
        elif number[0] == "t":
            parts[problem["id"]] = "independent, tuning" if int(number[1:]) <= 5 else "independent, test"
        else:
            kinds.setdefault(kind, []).append(problem["id"])
    for names in kinds.values():
        names.sort(key=lambda name: hashlib.sha256(name.encode()).digest())
        num_tuning = len(names) - round(TEST_SHARE * len(names))
        parts |= {name: "tuning" if i < num_tuning else "test" for i, name in enumerate(names)}
    return parts


def interval(hits: int, num: int) -> list[float]:
    """The 95 % interval of a share; everything where nothing was seen."""
    return [round(bound, 4) for bound in wilson(hits / num, num)] if num else [0.0, 1.0]


def share(verdicts: Iterable[str | None]) -> dict[str, object]:
    """How many of the verdicts are refusals."""
    listed = list(verdicts)
    hits = sum(verdict is not None for verdict in listed)
    reasons = Counter(verdict for verdict in listed if verdict)
    return {
        "hints": len(listed),
        "refused": hits,
        "share": round(hits / len(listed), 4) if listed else None,
        "wilson_95": interval(hits, len(listed)),
        "reasons": dict(sorted(reasons.items())),
    }


def read(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


def judge(row: Row, problems: dict[str, dict[str, str]]) -> str | None:
    asked = problems[str(row["problem"])]
    problem = Problem(asked["question"], asked["solution"], asked["answer"], asked["question"])
    request = FORMATS[str(row["format"])]().request(problem, min(int(row["level"]), 2))
    return refusal(problem, str(row["hint"]), request)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=OUT)
    arguments.add_argument("--show", choices=PARTS, help="print the wrong verdicts of a part")
    given = arguments.parse_args()
    problems = {problem["id"]: problem for problem in read("hint_problems.jsonl")}
    parts = parts_of(problems.values())
    rows = [row | {"verdict": judge(row, problems), "part": parts[row["problem"]]} for row in read("hint_leaks.jsonl")]
    result: dict[str, object] = {"test_share_of_problems": TEST_SHARE}
    for part in PARTS:
        here = [row for row in rows if row["part"] == part]
        result[part] = {
            label: share(row["verdict"] for row in here if row["label"] == label) for label in ("leak", "clean", "echo")
        } | {
            f"{label}, {name}": share(row["verdict"] for row in here if row["label"] == label and test(row))
            for label in ("leak", "clean")
            for name, test in _GROUPS.items()
        }
        for label in ("leak", "clean"):
            print(part, label, result[part][label])  # type: ignore[index]
    for row in rows:
        if row["part"] == given.show and (row["label"] == "clean") == (row["verdict"] is not None):
            print(row["label"], row["verdict"], row["problem"], problems[row["problem"]]["answer"], repr(row["hint"]))
    given.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


_KINDS = ("number", "fraction", "expression", "interval", "word", "choice")
_GROUPS = {f"{kind} answers": lambda row, kind=kind: row["problem"].startswith(kind) for kind in _KINDS} | {
    "written by models": lambda row: row["writer"] != "hand",
    "labelled without doubt": lambda row: "doubt" not in row,
    "written by hand": lambda row: row["writer"] == "hand",
}

if __name__ == "__main__":
    main()

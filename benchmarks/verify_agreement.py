r"""How often the mathematics verifier says what people said of other graders' test cases, and of gold answers.

    python benchmarks/verify_agreement.py [--data ../shared] [--workers 2]

Reads, where they are present in the data folder: cases/verifier_cases.jsonl (cases with the verdict that is expected;
those whose right verdict is a matter of policy are left out, those made for a grader with other options counted apart),
cases/verifier_bugs.jsonl (published bugs of other graders), and the mathematics files of data/ (every gold against
itself, and pairs of different golds). Prints each disagreement's id; writes figures only, to
benchmarks/results/verify_agreement.json.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verify_pairs import FILES

from selfhint.core.group import Verdict
from selfhint.verify import PooledVerifier, make_verifier
from selfhint.verify.latex import tidy
from selfhint.verify.number import plain_number
from selfhint.verify.text import undelimited

SHARED = Path(__file__).parents[2] / "shared"
RESULTS = Path(__file__).parent / "results" / "verify_agreement.json"
NUM_SHUFFLED = 2000
MARGIN = 0.5
"""Seconds beyond the limit that killing and counting may take."""
SHAPES = {
    "choice or word": re.compile(r"[^\W\d]+|\(?[A-J]\)?"),
    "interval or inequality": re.compile(r".*([<>]|\\(le|ge|infty|cup|in)(?![a-z])).*", re.DOTALL),
    "matrix": re.compile(r".*(matrix|array).*", re.DOTALL),
    "several values": re.compile(r".*(,|;|\\pm| and ).*", re.DOTALL),
    "equation": re.compile(r".*=.*", re.DOTALL),
    "unit, percent or currency": re.compile(r".*(%|circ|\\text).*", re.DOTALL),
}
"""Kind of a gold answer, tidied → how it looks; the first that fits."""


def shape(gold: object) -> str:
    """The kind of a gold answer."""
    text = tidy(undelimited(str(gold)))
    if plain_number(text) is not None:
        return "plain number"
    return next((name for name, pattern in SHAPES.items() if pattern.fullmatch(text)), "formula")


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSON Lines file; none where there is no such file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def judged(verifier: PooledVerifier, cases: Sequence[tuple[object, str]]) -> list[Verdict]:
    """Their verdicts."""
    return verifier.judge([gold for gold, _ in cases], [prediction for _, prediction in cases])


def share(outcomes: Counter[tuple[str, str]], name: str) -> dict[str, int]:
    """Agreement of one group of cases, and the two ways to disagree."""
    counts = {outcome: num for (group, outcome), num in outcomes.items() if group == name}
    return {
        "cases": sum(counts.values()),
        "agree": counts.get("agree", 0),
        "false_positives": counts.get("false positive", 0),
        "false_negatives": counts.get("false negative", 0),
    }


def agreement(verifier: PooledVerifier, cases: list[dict[str, Any]]) -> dict[str, Any]:
    """Agreement with the expected verdicts: in all, apart, by the form of the case and by the kind of its gold."""
    kept = [case for case in cases if "policy" not in case]
    outcomes: Counter[tuple[str, str]] = Counter()
    for case, verdict in zip(kept, judged(verifier, [(c["gold"], c["prediction"]) for c in kept]), strict=True):
        correct = verdict.correct is True
        wrong = "false positive" if correct else "false negative"
        outcome = "agree" if correct == case["expected"] else wrong
        if outcome != "agree":
            print(f"  {case['id']}: {outcome} ({verdict.reason})")
        options = "cases with another grader's options" if "opts" in case else "other cases"
        for group in (
            "all",
            options,
            f"form: {case['form']}",
            f"label: {case['label']}",
            f"gold: {shape(case['gold'])}",
        ):
            outcomes[group, outcome] += 1
    return {"left_out_for_policy": len(cases) - len(kept)} | {
        name: share(outcomes, name) for name in dict.fromkeys(group for group, _ in sorted(outcomes))
    }


def bugs(verifier: PooledVerifier, cases: list[dict[str, Any]]) -> dict[str, Any]:
    """Verdicts on published bugs, and the longest of them."""
    verdicts = judged(verifier, [(case["gold"], case["prediction"]) for case in cases])
    wrong = [c["id"] for c, v in zip(cases, verdicts, strict=True) if (v.correct is True) != c["right"]]
    print("  wrong:", *wrong or ["none"])
    longest = max(verdict.seconds for verdict in verdicts)
    return {
        "cases": len(cases),
        "right": len(cases) - len(wrong),
        "longest_seconds": round(longest, 2),
        "within_limit": longest <= verifier.time_limit + MARGIN,
    }


def gold_answers(folder: Path) -> dict[str, list[object]]:
    """The gold answers of each mathematics file that is there."""
    found = {name: [row["answer"] for row in rows(folder / f"{name}.jsonl")] for name in FILES}
    return {name: golds for name, golds in found.items() if golds}


def themselves(verifier: PooledVerifier, files: dict[str, list[object]]) -> dict[str, dict[str, int]]:
    """How many golds are right as their own prediction, as the file gives them."""
    return {
        name: {
            "golds": len(golds),
            "right": sum(v.correct is True for v in verifier.judge(golds, list(map(str, golds)))),
        }
        for name, golds in files.items()
    }


def shuffled(verifier: PooledVerifier, files: dict[str, list[object]]) -> dict[str, int]:
    """Pairs of golds with different texts, boxed: half from all files, half from one and no plain integers.

    Which of the matches are true equalities is for people to say: they are printed.
    """
    rng = random.Random(0)
    everything = [gold for golds in files.values() for gold in golds]
    formulas = [formulas for golds in files.values() if (formulas := [g for g in golds if not str(g).isdigit()])]
    cases: list[tuple[object, str]] = []
    while len(cases) < NUM_SHUFFLED:
        pool = everything if len(cases) % 2 else rng.choice(formulas)
        gold, other = rng.choice(pool), rng.choice(pool)
        if gold != other:
            cases.append((gold, rf"The answer is $\boxed{{{other}}}$."))
    reasons: Counter[str] = Counter()
    for (gold, prediction), verdict in zip(cases, judged(verifier, cases), strict=True):
        reasons[verdict.reason] += 1
        if verdict.correct:
            print(f"  match: {gold!r} and {prediction!r}")
    return {"pairs": len(cases), **{reason.replace(" ", "_"): num for reason, num in sorted(reasons.items())}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    cases, known_bugs = (rows(options.data / "cases" / f"verifier_{name}.jsonl") for name in ("cases", "bugs"))
    files = gold_answers(options.data / "data")
    if not cases and not known_bugs and not files:
        raise SystemExit(f"{options.data}: holds neither cases nor data; name the folder with --data")
    began = time.perf_counter()
    verifier = make_verifier("math", workers=options.workers)
    results: dict[str, Any] = {"time_limit": verifier.time_limit}
    if cases:
        print("cases")
        results["cases"] = agreement(verifier, cases)
    if known_bugs:
        print("bugs")
        results["bugs"] = bugs(verifier, known_bugs)
    if files:
        print("golds")
        results["golds_against_themselves"] = themselves(verifier, files)
        results["shuffled_golds"] = shuffled(verifier, files)
    verifier.close()
    print(f"{time.perf_counter() - began:.0f} seconds")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()

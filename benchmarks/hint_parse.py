"""Does reading and checking hints stay linear? Adversarial texts of 50 and 100 kB for the parser, 10 and 20 kB for the
leak guard (hints are short), in processor time.

Usage: `python benchmarks/hint_parse.py [--out benchmarks/results/hint_parse.json]`. A family passes where doubling the
text multiplies the best time of several runs by at most 2.5.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from pathlib import Path

from selfhint.core.problem import Problem
from selfhint.hints.leak import refusal
from selfhint.hints.parse import parse_levels

RUNS = 3
RETRIES = 3
LIMIT = 2.5
OUT = Path(__file__).parent / "results" / "hint_parse.json"

UNITS = {
    "words": "the quick brown fox ",
    "spaces": " ",
    "newlines": "\n",
    "open braces": "{",
    "open brackets": "[",
    "quotes": '"',
    "apostrophes": "'",
    "smart quotes": "“",
    "backslashes": "\\",
    "escaped quotes": '\\"',
    "escaped newlines": "\\n",
    "keys without values": '"level_1":',
    "keys with open strings": '"level_1": "',
    "keys with open smart quotes": "'level_1': “",
    "keys with open lists": '"level_1": [',
    "keys with open objects": '"level_1": {"hint": ',
    "whole objects": '{"level_1": "a", "level_2": "b", "level_3": "c"} ',
    "broken objects": '{"level_1": "a" x} ',
    "open keys": '{"',
    "open objects": '{"a": ',
    "open lists of lists": "[[",
    "objects in comments": '// {"level_1": "a"}\n',
    "objects in one comment": '/* {"level_1": "a"} ',
    "fields": '"a", b: "c" ',
    "hashes in quotes": '" # ',
    "closing quotes": '"}',
    "records": '{"level": 1, "hint": "a"},',
    "bare quotes": '"a "b',
    "half keys": '"level_',
    "keys and spaces": '"level     ',
    "commas": ",",
    "thoughts": "<think>a</think>",
    "open thoughts": "<think>",
    "comments": "// ",
    "block comments": "/* ",
    "labels": "Level 1: a\n",
    "labelled quotes": 'Level 1: "a" b\n',
    "labels in one line": "a. Level 1: b. ",
    "headings": "### Level 1\n",
    "hashes": "#",
    "line ends or commands": "x.\\nu ",
    "words or commands": ", \\nless obvious",
    "digits": "7",
    "grouped digits": "1,000,",
    "numbers": "24 ",
    "signs": "-",
    "points": ".",
    "fractions": "1/2 / ",
    "sums": "24 = ",
    "statements": "the answer is 24 ",
    "half statements": "the answer ",
    "number words": "twenty-four ",
    "long number": "hundred thousand ",
    "ones": "and one ",
    "fraction commands": "\\frac{",
    "nested fractions": "\\frac{1}{",
    "text commands": "\\text{",
    "boxes": "\\boxed{",
    "roots": "\\sqrt{x}",
    "brackets": "(x",
    "pairs": "(1,2) ",
    "carets": "x^",
    "choices": "(B) ",
    "dollars": "$",
    "underscores": "_",
    "percent signs": "% ",
    "inequalities": "x > 3 ",
    "hangul and kana": "가あ",
    "combining marks": "e\u0301",
    "chains": "Ann - ",
    "lists of names": "Ann, Bob, ",
    "numbered names": "1. Ann ",
    "spelled words": "n e v e r ",
    "quantities": "2 h 30 min ",
    "between": "between 3 and 4. ",
    "in between": "3 4 between ",
    "except": "all except 3, ",
    "equations": "x + 1 = ",
    "named letters": "A, B and ",
    "superlatives": "the only never ",
    "add to": "add 1 to ",
    "sums spoken": "the sum of x and ",
    "lines": "top 1 bottom ",
    "steps": "1. a. ",
    "bracketed steps": "(1) a, ",
    "emphasis": "_a",
    "emphasised numbers": "_72_ ",
    "scaled": "2 million ",
    "k": "2k ",
    "matrices": "\\begin{pmatrix}1&2\\\\",
    "arrays": "[\\begin{array}{",
    "both signs": "±15 ",
    "tools": "two numbers ",
    "times of day": "3:45 ",
    "units": "12cm/",
    "lettered pairs": "(a, b) ",
    "tags": "<answer>",
}
"""Name → what a text repeats."""

OPENINGS = {"": "", "in a string": '{"level_1": "', "in a list": '{"level_1": ["a", '}
"""What stands in front of the repeated unit when the parser reads it."""

QUESTION = "Ann, Bob and Cleo have 24 boxes at (a,b). How many hours, which holds? (A) 24 (B) x^2+1 (C) [1,2) (D) never"
ANSWERS = (
    *("24", "2000000", r"\pm 15", "3:45 PM", r"\frac{3}{4}", "x^2+1", "y=x+1", "(3,5)", "never", "Ann", "B"),
    *(r"(-\infty,3]\cup[4,\infty)", "[3,5)\\cup(5,9]", r"\begin{pmatrix} 1 \\ 2 \end{pmatrix}"),
)


def family_texts(unit: str, size: int) -> str:
    """Whole units only: half a word at the end can decide how soon the guard is through."""
    return unit * (size // len(unit))


def best_time(work: Callable[[], object]) -> float:
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def best_times(make: Callable[[str], Callable[[], object]], unit: str, size: int) -> tuple[float, float]:
    """Seconds for a text and one of twice its length; over the limit both are timed again, as other work disturbs."""
    works = [make(family_texts(unit, num)) for num in (size, 2 * size)]
    once, twice = map(best_time, works)
    for _ in range(RETRIES):
        if twice <= LIMIT * once:
            break
        once, twice = min(once, best_time(works[0])), min(twice, best_time(works[1]))
    return once, twice


def parser_work(text: str) -> Callable[[], object]:
    return lambda: [parse_levels(opening + text, (1, 2, 3)) for opening in OPENINGS.values()]


def guard_work(text: str) -> Callable[[], object]:
    problems = [Problem(QUESTION, "Take it. So it is done at last here.", answer, QUESTION) for answer in ANSWERS]
    hint = "Think: " + text  # else a text of placeholder words alone is refused at once
    return lambda: [refusal(problem, hint, QUESTION) for problem in problems]


def long_problem_work(text: str) -> Callable[[], object]:
    """The guard on a short hint where question, solution and answer are long."""
    problem = Problem(text, text, text, text)
    return lambda: refusal(problem, "Think of 24 first.", text)


WORKS = {
    "parser": (parser_work, 50_000),
    "guard": (guard_work, 10_000),
    "guard, long problem": (long_problem_work, 10_000),
}
"""Name → what is timed, characters of the shorter text."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=OUT)
    out = arguments.parse_args().out
    mixed = list(UNITS.values())
    random.Random(0).shuffle(mixed)
    families = UNITS | {"all of them mixed": "".join(mixed)}
    results: dict[str, dict[str, object]] = {}
    for name, (make, size) in WORKS.items():
        rows = {}
        for family, unit in families.items():
            once, twice = best_times(make, unit, size)
            rows[family] = {"seconds": round(twice, 4), "ratio": round(twice / once, 2)}
        slow = {family: row for family, row in rows.items() if row["ratio"] > LIMIT}
        results[name] = {
            "families": len(rows),
            "largest_ratio": max(row["ratio"] for row in rows.values()),
            "characters": 2 * size,
            "most_seconds": max(row["seconds"] for row in rows.values()),
            "over_the_limit": slow,
            "rows": rows,
        }
        print(f"{name}: ratio at most {results[name]['largest_ratio']}, over {LIMIT}: {slow or 'none'}")
    out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

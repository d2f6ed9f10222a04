r"""Pairs (gold, prediction) for the verifier's benchmarks, drawn from the gold answers of a local data folder.

A right prediction boxes the gold as it stands or spelt otherwise (\dfrac, blanks, "x =", ".0"), a wrong one boxes
something near it (a digit, a sign, a fraction upside down). No two pairs have the same gold and boxed answer.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parents[2] / "shared" / "data"
FILES = (
    "gsm8k_test",
    "gsm8k_train_2000",
    "math500",
    "math_train_2000",
    "olympiadbench_math_en",
    "minerva_math",
    "aime24",
    "aime25",
    "amc23",
)
_FRACTION = re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}")
_INTEGER = re.compile(r"-?\d{1,15}")


class Pair(NamedTuple):
    """What is judged, and whether it was made to be right."""

    gold: str
    answer: str
    right: bool

    @property
    def prediction(self) -> str:
        """A short text that ends in the boxed answer."""
        return f"We put the parts together.\nSo the answer is $\\boxed{{{self.answer}}}$."


def golds(folder: Path) -> list[str]:
    """The different gold answers of the mathematics files, in file order."""
    if not folder.is_dir():
        raise SystemExit(f"{folder}: no such folder; name the folder of {FILES[0]}.jsonl and others with --data")
    lines = [line for name in FILES for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines()]
    return list(dict.fromkeys(json.loads(line)["answer"].strip() for line in lines))


def pairs(folder: Path, num: int, seed: int = 0) -> list[Pair]:
    """`num` pairs in random order, half of them right as far as there are spellings enough."""
    rng = random.Random(seed)
    known = golds(folder)
    rng.shuffle(known)
    right = [Pair(gold, spell(gold), True) for spell in SPELLINGS for gold in known]
    chosen = list(dict.fromkeys(p for p in right if p.answer is not None))[: num // 2]
    seen = {(p.gold, p.answer) for p in right}
    for pair in near(known, rng):
        if len(chosen) == num:
            break
        if (pair.gold, pair.answer) not in seen:
            seen.add((pair.gold, pair.answer))
            chosen.append(pair)
    rng.shuffle(chosen)
    return chosen


def near(known: list[str], rng: random.Random) -> Iterator[Pair]:
    """Wrong pairs without end, some of them twice: golds with one thing changed."""
    while True:
        for gold in known:
            changed = rng.choice((_other_digit, _other_digit, _other_sign, _upside_down, _one_more))(gold, rng)
            if changed != gold:
                yield Pair(gold, changed, False)


def _other_digit(gold: str, rng: random.Random) -> str:
    digits = [i for i, c in enumerate(gold) if c in "0123456789"]
    if not digits:
        return gold + f"+{rng.randint(1, 999)}"
    i = rng.choice(digits)
    return gold[:i] + rng.choice("123456789") + rng.choice(("", "", str(rng.randint(0, 99)))) + gold[i + 1 :]


def _other_sign(gold: str, rng: random.Random) -> str:
    signs = [i for i, c in enumerate(gold) if c in "+-"]
    if not signs:
        return f"-{gold}" if gold != "0" else "1"
    i = rng.choice(signs)
    return gold[:i] + ("+" if gold[i] == "-" else "-") + gold[i + 1 :]


def _upside_down(gold: str, rng: random.Random) -> str:
    return _FRACTION.sub(r"\\frac{\2}{\1}", gold, count=1)


def _one_more(gold: str, rng: random.Random) -> str:
    return str(int(gold) + rng.choice((-1, 1, 10))) if _INTEGER.fullmatch(gold) else f"{gold}+{rng.randint(1, 9)}"


def _as_it_is(gold: str) -> str | None:
    return gold


def _large_fraction(gold: str) -> str | None:
    return gold.replace(r"\frac", r"\dfrac") if r"\frac" in gold else None


def _decimal(gold: str) -> str | None:
    return f"{gold}.0" if _INTEGER.fullmatch(gold) else None


def _named(gold: str) -> str | None:
    return f"x = {gold}" if _INTEGER.fullmatch(gold) or _FRACTION.fullmatch(gold) else None


def _spaced(gold: str) -> str | None:
    return f"{gold}\\," if not gold.endswith(",") else None


def _flat_fraction(gold: str) -> str | None:
    return _FRACTION.sub(r"\1/\2", gold) if re.fullmatch(r"-?\\frac\{\d+\}\{\d+\}", gold) else None


SPELLINGS: tuple[Callable[[str], str | None], ...] = (
    _as_it_is,
    _large_fraction,
    _flat_fraction,
    _decimal,
    _named,
    _spaced,
)
"""Other ways to write a gold; None where one does not fit."""

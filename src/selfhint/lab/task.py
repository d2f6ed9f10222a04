"""The lab task: spell a word in secret digits, half of which the policy knows before reinforcement learning begins.

Every letter has one secret digit; the answer to a word is the digits of its letters, in order. The warmed-up policy
knows the digits of the *known* letters and reads hints, but guesses the *unknown* letters. So a word with u unknown
letters is solved with probability D^-u (D digits), and a hint that shows the first n digits takes those letters out of
u.
"""

from __future__ import annotations

import math
import random
import string
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from selfhint.core.errors import InputError
from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.core.problem import Problem

SOLVE = "P"
"""First letter of a solver's message."""
SOLVER_TEMPLATE = f"{SOLVE}{{problem}}"
"""What the solver is asked, without a hint."""
WRITE_HINT = "H"
"""First letter of a request for a hint."""
SEPARATOR = "|"
HINT_BLOCK = f"{SEPARATOR}{{hint}}"
"""What is appended to the solver's message when there is a hint; without one nothing is."""

ProblemSet = Literal["hard", "mixed"]


@dataclass(frozen=True, slots=True)
class LabProblems:
    """Problems to train on and problems to measure on. No word is in both."""

    train: tuple[Problem, ...]
    held_out: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class LabTask:
    """Letters, digits and the secret.

    The letters are the first ones of the alphabet: known ones, then unknown ones. A word never has a letter twice.

    Args:
        num_known: letters whose digit the policy knows after its warm-up.
        num_unknown: letters whose digit it has to learn by reinforcement learning.
        num_digits: D, possible digits of a letter.
        hard_length: letters of a word of the hard set, all unknown.
        max_length: longest word of the mixed set, whose words have 1 … max_length letters of both kinds.
        secret_seed: fixes every letter's digit.

    Raises:
        InputError: sizes that make no task.
    """

    num_known: int = 8
    num_unknown: int = 8
    num_digits: int = 8
    hard_length: int = 5
    max_length: int = 6
    secret_seed: int = 7

    def __post_init__(self) -> None:
        num_letters = self.num_known + self.num_unknown
        limits = {
            "num_known": (0, len(string.ascii_lowercase) - 1),
            "num_unknown": (1, len(string.ascii_lowercase) - self.num_known),
            "num_digits": (2, len(string.digits)),
            "hard_length": (1, self.num_unknown),
            "max_length": (self.hard_length, num_letters),
        }
        for name, (low, high) in limits.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise InputError(f"lab task: {name} is {value}; set it between {low} and {high}")

    @property
    def letters(self) -> str:
        """All letters, known ones first."""
        return string.ascii_lowercase[: self.num_known + self.num_unknown]

    @property
    def known(self) -> str:
        """Letters whose digit the policy knows."""
        return self.letters[: self.num_known]

    @property
    def unknown(self) -> str:
        """Letters whose digit it does not know."""
        return self.letters[self.num_known :]

    @property
    def digits(self) -> str:
        """The digits a letter can have."""
        return string.digits[: self.num_digits]

    @property
    def secret(self) -> dict[str, str]:
        """Letter → digit.

        Among the known letters, and among the unknown ones, digits are used equally often (as far as the numbers
        allow), so that preferring a digit without looking at the letter gains nothing.
        """
        rng = random.Random(self.secret_seed)
        return _deal(self.known, self.digits, rng) | _deal(self.unknown, self.digits, rng)

    def problem(self, word: str) -> Problem:
        """The problem that asks for the digits of `word`.

        Raises:
            InputError: a letter that the task does not have.
        """
        secret = self.secret
        strange = sorted(set(word) - secret.keys())
        if strange or not word:
            raise InputError(f"lab task: {word!r} is no word; use letters from {self.letters[0]} to {self.letters[-1]}")
        answer = "".join(secret[letter] for letter in word)
        message = {"role": "user", "content": SOLVER_TEMPLATE.format(problem=word)}
        return Problem(question=word, solution=answer, answer=answer, prompt=[message])

    def problems(
        self, kind: ProblemSet, *, seed: int = 0, num_train: int = 256, num_held_out: int = 256
    ) -> LabProblems:
        """Distinct problems of the hard or the mixed set, in random order.

        The mixed set has equally many words of each length, as far as there are that many.

        Raises:
            InputError: another kind, or more problems than there are words.
        """
        wanted = num_train + num_held_out
        if kind == "hard":
            words = _distinct_words(self.unknown, [self.hard_length], wanted, random.Random(f"hard {seed}"))
        elif kind == "mixed":
            lengths = range(1, self.max_length + 1)
            words = _distinct_words(self.letters, lengths, wanted, random.Random(f"mixed {seed}"))
        else:
            raise InputError(f"lab task: unknown problem set {kind!r}; use hard or mixed")
        problems = tuple(self.problem(word) for word in words)
        return LabProblems(train=problems[:num_train], held_out=problems[num_train:])


def hint_length(num_letters: int, level: int) -> int:
    """Digits that a hint of `level` shows of a word: round((k − 1)·ℓ/L), so never the last one; 0 means no hint.

    Raises:
        ValueError: the level is not 0 … L.
    """
    if not NO_HINT <= level <= NUM_LEVELS:
        raise ValueError(f"hint level {level} is not between {NO_HINT} and {NUM_LEVELS}")
    return round((num_letters - 1) * level / NUM_LEVELS)


def true_hint(problem: Problem, level: int) -> str:
    """The first digits of the reference solution, as many as `level` shows."""
    return problem.answer[: hint_length(len(problem.question), level)]


def with_true_hints(problem: Problem) -> Problem:
    """The problem with what an ideal teacher would say at each level that shows something."""
    texts = {level: true_hint(problem, level) for level in range(NO_HINT + 1, NUM_LEVELS + 1)}
    return replace(problem, hints={level: (text,) for level, text in texts.items() if text})


def _deal(letters: str, digits: str, rng: random.Random) -> dict[str, str]:
    """One digit for each letter, every digit as often as any other, or once more."""
    rounds = -(-len(letters) // len(digits))
    dealt = [digit for _ in range(rounds) for digit in rng.sample(digits, len(digits))]
    return dict(zip(letters, dealt, strict=False))


def _distinct_words(letters: str, lengths: Sequence[int], num: int, rng: random.Random) -> list[str]:
    """`num` different words without repeated letters, lengths as equally shared as the number of words allows."""
    possible = sum(math.perm(len(letters), length) for length in lengths)
    if num > possible:
        raise InputError(f"lab task: {num} problems wanted, but there are {possible} words; ask for fewer problems")
    words: set[str] = set()
    ordered: list[str] = []
    for i, length in enumerate(sorted(lengths)):
        share = -(-(num - len(ordered)) // (len(lengths) - i))
        missing = min(share, math.perm(len(letters), length))
        while missing:
            word = "".join(rng.sample(letters, length))
            if word not in words:
                words.add(word)
                ordered.append(word)
                missing -= 1
    rng.shuffle(ordered)
    return ordered

"""What an ideal reader of hints achieves on the lab task, in closed form and as a scripted sampler.

The ideal reader knows the known letters, reads every hinted digit (also for a later copy of the same letter) and
guesses each other distinct letter uniformly over the D digits. With u such letters it succeeds with probability D^-u.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt, question_of
from selfhint.lab.task import SEPARATOR, SOLVE, WRITE_HINT, LabTask, hint_length


def success_probability(task: LabTask, word: str, num_given: int) -> float:
    """Success probability D^-u of an ideal reader who is given the first `num_given` digits of `word`."""
    guessed = set(word[num_given:]) - set(word[:num_given]) - set(task.known)
    return float(task.num_digits ** -len(guessed))


def level_probability(task: LabTask, problem: Problem, level: int) -> float:
    """Success probability of an ideal reader with the true hint of `level`."""
    return success_probability(task, problem.question, hint_length(len(problem.question), level))


def expected_success(task: LabTask, problems: Sequence[Problem], level: int) -> float:
    """Mean success probability over `problems` with the true hint of `level`.

    Raises:
        ValueError: no problems.
    """
    if not problems:
        raise ValueError("expected_success needs at least one problem")
    return math.fsum(level_probability(task, problem, level) for problem in problems) / len(problems)


class IdealReader:
    """Answers the lab's two kinds of messages as an ideal reader would: a policy made of a table and a die.

    Args:
        task: which letters are known, and their digits.
        seed: of the guesses.
    """

    def __init__(self, task: LabTask, seed: int) -> None:
        self._task = task
        self._secret = {letter: task.secret[letter] for letter in task.known}
        self._rng = random.Random(seed)

    def complete(self, prompt: Prompt) -> str:
        """One completion: the digits of a word, or the hint that was asked for.

        Raises:
            ValueError: the message is not one of the lab's.
        """
        message = question_of(prompt)
        parts = message[1:].split(SEPARATOR)
        if message.startswith(SOLVE) and len(parts) in (1, 2):
            return self._spell(word=parts[0], given="".join(parts[1:]))
        if message.startswith(WRITE_HINT) and len(parts) == 3:
            word, solution, level = parts
            return solution[: hint_length(len(word), int(level))]
        raise ValueError(f"not a message of the lab task: {message!r}")

    def _spell(self, word: str, given: str) -> str:
        read = self._secret | dict(zip(word, given, strict=False))
        for letter in word:
            if letter not in read:
                read[letter] = self._rng.choice(self._task.digits)
        return given + "".join(read[letter] for letter in word[len(given) :])

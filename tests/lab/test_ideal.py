"""The closed form against enumeration and against the scripted sampler."""

from __future__ import annotations

import itertools
import math

import pytest

from selfhint.core.prompt import append_to_prompt
from selfhint.lab.ideal import IdealReader, expected_success, level_probability, success_probability
from selfhint.lab.task import HINT_BLOCK, LabTask, true_hint

SMALL = LabTask(num_known=2, num_unknown=3, num_digits=3, hard_length=3, max_length=4)
WORDS = ["c", "ab", "cde", "cdc", "ccc", "acbd", "ddca", "edcde"]


def enumerated(task: LabTask, word: str, num_given: int) -> float:
    """Share of all ways to guess the unknown letters that spell the word right."""
    given = dict(zip(word, task.problem(word).answer, strict=True))
    open_letters = sorted({c for c in word if c in task.unknown and c not in word[:num_given]})
    right = [
        all(given[c] == d for c, d in zip(open_letters, guess, strict=True))
        for guess in itertools.product(task.digits, repeat=len(open_letters))
    ]
    return sum(right) / len(right)


@pytest.mark.parametrize("word", WORDS)
def test_closed_form_is_the_enumerated_share(word: str):
    for num_given in range(len(word) + 1):
        assert success_probability(SMALL, word, num_given) == pytest.approx(enumerated(SMALL, word, num_given))


def test_hard_words_of_the_default_task():
    task = LabTask()
    problems = task.problems("hard").train
    assert [expected_success(task, problems, level) for level in range(4)] == [8**-5, 8**-4, 8**-2, 8**-1]


def test_mean_over_problems():
    task = LabTask()
    problems = [task.problem(word) for word in ("a", "i", "ij")]
    assert expected_success(task, problems, 0) == pytest.approx((1 + 1 / 8 + 1 / 64) / 3)
    assert expected_success(task, problems, 3) == pytest.approx((1 + 1 / 8 + 1 / 8) / 3)
    with pytest.raises(ValueError, match="at least one problem"):
        expected_success(task, [], 0)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("level", range(4))
def test_the_scripted_reader_succeeds_as_often_as_the_closed_form_says(word: str, level: int):
    problem, num = SMALL.problem(word), 3000
    hint = true_hint(problem, level)
    prompt = append_to_prompt(problem.prompt, HINT_BLOCK.format(hint=hint)) if hint else problem.prompt
    reader = IdealReader(SMALL, seed=11)
    right = sum(reader.complete(prompt) == problem.answer for _ in range(num))
    p = level_probability(SMALL, problem, level)
    z = (right - num * p) / max(1e-9, math.sqrt(num * p * (1 - p)))
    assert abs(z) < 4  # fixed seed: the draw is the same on every run


def test_the_scripted_reader_repeats_itself_for_a_seed():
    prompt = SMALL.problem("cde").prompt
    first, second, other = (IdealReader(SMALL, seed) for seed in (1, 1, 2))
    draws = [[reader.complete(prompt) for _ in range(20)] for reader in (first, second, other)]
    assert draws[0] == draws[1] != draws[2]


def test_a_repeated_unknown_letter_is_guessed_once():
    reader = IdealReader(SMALL, seed=0)
    assert all(len(set(reader.complete(SMALL.problem("ccc").prompt))) == 1 for _ in range(20))


def test_it_does_not_know_unknown_letters():
    reader = IdealReader(SMALL, seed=0)
    assert len({reader.complete(SMALL.problem("c").prompt) for _ in range(60)}) == SMALL.num_digits


@pytest.mark.parametrize("content", ["ab", "", "Hab|12", "Pab|1|2"])
def test_other_messages_are_refused(content: str):
    with pytest.raises(ValueError, match="not a message of the lab task"):
        IdealReader(SMALL, seed=0).complete([{"role": "user", "content": content}])

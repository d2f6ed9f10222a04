"""Words, secrets and problem sets."""

from __future__ import annotations

import math
import subprocess
import sys
from collections import Counter
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from selfhint.core.errors import InputError
from selfhint.core.prompt import append_to_prompt
from selfhint.lab.task import HINT_BLOCK, LabTask, hint_length, true_hint, with_true_hints

SOURCE = Path(__file__).parents[2] / "src"


@st.composite
def tasks(draw: st.DrawFn) -> LabTask:
    num_known, num_unknown = draw(st.integers(0, 6)), draw(st.integers(1, 6))
    hard_length = draw(st.integers(1, num_unknown))
    return LabTask(
        num_known=num_known,
        num_unknown=num_unknown,
        num_digits=draw(st.integers(2, 10)),
        hard_length=hard_length,
        max_length=draw(st.integers(hard_length, num_known + num_unknown)),
        secret_seed=draw(st.integers(0, 99)),
    )


def test_default_letters_and_digits():
    task = LabTask()
    assert (task.known, task.unknown, task.digits) == ("abcdefgh", "ijklmnop", "01234567")
    with pytest.raises(FrozenInstanceError):
        task.num_known = 3


@given(tasks())
def test_digits_are_dealt_evenly_to_known_and_to_unknown_letters(task: LabTask):
    for letters in (task.known, task.unknown):
        counts = Counter(task.secret[letter] for letter in letters)
        used = [counts[digit] for digit in task.digits]
        assert sum(used) == len(letters)
        assert max(used) - min(used) <= 1


def test_the_secret_follows_its_seed():
    secrets = [LabTask(secret_seed=seed).secret for seed in (7, 7, 8)]
    assert secrets[0] == secrets[1] != secrets[2]


def test_a_problem_spells_its_word():
    task = LabTask()
    problem = task.problem("cab")
    assert problem.answer == problem.solution == task.secret["c"] + task.secret["a"] + task.secret["b"]
    assert problem.question == "cab"
    assert problem.prompt == [{"role": "user", "content": "Pcab"}]


def test_a_hint_stands_between_bars_and_leaves_no_slot_behind():
    problem = LabTask().problem("cab")
    hinted = append_to_prompt(problem.prompt, HINT_BLOCK.format(hint="12"))
    assert hinted == [{"role": "user", "content": "Pcab|12"}]


@pytest.mark.parametrize("word", ["", "aq", "A", "a b"])
def test_a_strange_word_is_refused(word: str):
    with pytest.raises(InputError, match="use letters from a to p"):
        LabTask().problem(word)


@pytest.mark.parametrize(
    ("length", "shown"),
    [(1, [0, 0, 0, 0]), (2, [0, 0, 1, 1]), (3, [0, 1, 1, 2]), (4, [0, 1, 2, 3]), (5, [0, 1, 3, 4]), (6, [0, 2, 3, 5])],
)
def test_hint_lengths(length: int, shown: list[int]):
    assert [hint_length(length, level) for level in range(4)] == shown


@pytest.mark.parametrize("level", [-1, 4])
def test_there_is_no_such_level(level: int):
    with pytest.raises(ValueError, match="not between 0 and 3"):
        hint_length(5, level)


def test_true_hints_are_prefixes_that_keep_the_end():
    problem = LabTask().problem("ijklm")
    assert [true_hint(problem, level) for level in range(4)] == [problem.answer[:n] for n in (0, 1, 3, 4)]


def test_hard_set():
    task = LabTask()
    made = task.problems("hard", seed=3)
    words = [p.question for p in made.train + made.held_out]
    assert (len(made.train), len(made.held_out), len(set(words))) == (256, 256, 512)
    assert all(len(word) == 5 == len(set(word)) and set(word) <= set(task.unknown) for word in words)


def test_mixed_set_has_all_lengths_and_both_kinds_of_letters():
    task = LabTask()
    made = task.problems("mixed", num_train=300, num_held_out=300)
    words = [p.question for p in made.train + made.held_out]
    lengths = Counter(map(len, words))
    assert lengths == {1: 16, 2: 117, 3: 117, 4: 117, 5: 117, 6: 116}
    kinds = Counter((bool(set(w) & set(task.known)), bool(set(w) & set(task.unknown))) for w in words)
    assert min(kinds[True, True], kinds[True, False], kinds[False, True]) > 50
    assert all(len({len(p.question) for p in part}) == 6 for part in (made.train, made.held_out))


@pytest.mark.parametrize("kind", ["hard", "mixed"])
def test_sets_follow_their_seed(kind):
    task = LabTask()
    assert task.problems(kind, seed=1) == task.problems(kind, seed=1)
    assert task.problems(kind, seed=1).train != task.problems(kind, seed=2).train


@given(tasks(), st.integers(0, 5), st.integers(1, 6), st.integers(1, 6), st.sampled_from(["hard", "mixed"]))
def test_train_and_held_out_share_no_key(task: LabTask, seed: int, num_train: int, num_held_out: int, kind):
    lengths = [task.hard_length] if kind == "hard" else range(1, task.max_length + 1)
    letters = task.unknown if kind == "hard" else task.letters
    assume(sum(math.perm(len(letters), length) for length in lengths) >= num_train + num_held_out)
    made = task.problems(kind, seed=seed, num_train=num_train, num_held_out=num_held_out)
    assert (len(made.train), len(made.held_out)) == (num_train, num_held_out)
    assert len({p.key for p in made.train + made.held_out}) == num_train + num_held_out


def test_all_words_can_be_asked_for_but_not_more():
    task = LabTask(num_known=1, num_unknown=2, hard_length=2, max_length=3)
    made = task.problems("mixed", num_train=10, num_held_out=5)
    assert len({p.question for p in made.train + made.held_out}) == 3 + 6 + 6
    with pytest.raises(InputError, match="16 problems wanted, but there are 15 words"):
        task.problems("mixed", num_train=11, num_held_out=5)


def test_unknown_set():
    with pytest.raises(InputError, match="use hard or mixed"):
        LabTask().problems("easy")


@pytest.mark.parametrize(
    "sizes",
    [
        {"num_known": 20},
        {"num_known": -1},
        {"num_unknown": 0},
        {"num_digits": 1},
        {"num_digits": 11},
        {"hard_length": 9},
        {"max_length": 4},
        {"max_length": 17},
    ],
)
def test_impossible_sizes(sizes: dict[str, int]):
    with pytest.raises(InputError, match=r"lab task: \w+ is -?\d+; set it between"):
        LabTask(**sizes)


def test_true_hints_are_there_for_the_levels_that_show_something():
    task = LabTask()
    assert {level: len(text) for level, (text,) in with_true_hints(task.problem("ijklm")).hints.items()} == {
        level: hint_length(5, level) for level in (1, 2, 3)
    }
    assert with_true_hints(task.problem("ab")).hints == {2: (task.secret["a"],), 3: (task.secret["a"],)}
    assert with_true_hints(task.problem("a")).hints == {}


def test_importing_the_task_loads_no_framework():
    code = "import sys, selfhint.lab.task, selfhint.lab.ideal; print({'torch', 'transformers'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(SOURCE)}, capture_output=True, text=True)
    assert done.stdout.strip() == "set()", done.stderr

"""Tasks of reasoning-gym, generated as they are read: the same words give the same rows on every machine."""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from selfhint.core.errors import InputError
from selfhint.data.formats.base import DataFile, OnDamage
from selfhint.data.rows import Place, Row
from selfhint.data.trace import final_answer

PREFIX = "reasoning_gym:"
SEED = 0
"""Of a task for which none is given; reasoning-gym would draw one."""
WHOLE = ("size", "seed")
"""Options of every task. Other values would be taken as they are, or make other rows each time."""
WORKED = ("answer_cot", "states")
"""Fields of an entry's metadata that hold a worked text, or its lines."""
WITH_SOLUTIONS = ("gsm_symbolic", "string_manipulation", "string_splitting", "string_synthesis")
"""Tasks that have one of them, for messages."""

UNSTABLE = ("isomorphic_strings", "list_functions", "polynomial_multiplication", "ransom_note")
"""Tasks of reasoning-gym 0.1 whose rows depend on more than their seed: they walk sets of texts, or draw from a
generator of random numbers that all share. A resumed run, or another process of the same one, would see others."""


class Generated:
    """A `Format`. A row has `problem`, `answer` (the entry as JSON, as the verifier reasoning_gym wants it) and, where
    the generator offers one, `solution`.

    An entry's place in the sequence is no part of its answer, so that a question that comes twice is one problem.
    """

    unit = "entry"

    def names(self, file: DataFile, on_damage: OnDamage | None = None) -> Iterator[Iterable[str]]:
        """Those of the first entry."""
        for _, record in _records(file.name):
            yield [name for name, value in record.items() if value is not None]
            return

    def rows(
        self, file: DataFile, wanted: Collection[str], nested: Collection[str], on_damage: OnDamage | None = None
    ) -> Iterator[Row]:
        """One at a time."""
        for number, record in _records(file.name):
            yield Row(
                Place(file.name, self.unit, number),
                {name: record.get(name) for name in wanted},
                dict.fromkeys(nested),
            )


def _records(words: str) -> Iterator[tuple[int, dict[str, str | None]]]:
    golds: dict[str, str] = {}
    for number, entry in enumerate(_entries(words), start=1):
        question = str(entry["question"])
        gold = golds.setdefault(question, _gold(entry))
        yield number, {"problem": question, "solution": _worked(entry), "answer": gold}


def _entries(words: str) -> Iterator[Mapping[str, Any]]:
    """The entries that `reasoning_gym:TASK,option=value,…` names.

    Raises:
        InputError: the package is missing, there is no such task, or an option does not suit it.
    """
    try:
        import reasoning_gym
        from reasoning_gym.factory import DATASETS
    except ModuleNotFoundError as error:
        raise InputError(f"data={words}: the package is missing; pip install 'selfhint[reasoning-gym]'") from error
    task, *options = words.removeprefix(PREFIX).split(",")
    if task not in DATASETS:
        near = difflib.get_close_matches(task, DATASETS, n=1)
        mend = f"did you mean {near[0]}?" if near else f"its tasks are {', '.join(sorted(DATASETS)[:5])}, ..."
        raise InputError(f"data={words}: reasoning-gym has no task {task!r}; {mend}")
    known = [field.name for field in fields(DATASETS[task][1])]
    if task in UNSTABLE:
        raise InputError(
            f"data={words}: this task makes other rows in each process; write them to a file and load that"
        )
    given: dict[str, Any] = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals or name not in known:
            raise InputError(f"data={words}: {task} has no option {option!r}; write name=value with {', '.join(known)}")
        if name in given:
            raise InputError(f"data={words}: option {name} is there twice; leave one out")
        given[name] = _scalar(value)
        if name in WHOLE and type(given[name]) is not int:
            raise InputError(f"data={words}: {option!r} is no whole number; write one")
    try:
        made = reasoning_gym.create_dataset(task, **{"seed": SEED, **given})
        _check_gold(words, made)
    except (AssertionError, TypeError, ValueError) as error:  # what its tasks say of bad options, some when asked
        message = " ".join(str(error).split())
        raise InputError(f"data={words}: {task} refuses the options ({message}); correct them") from error
    return iter(made)


def _check_gold(words: str, made: Any) -> None:
    """A verifier that compares with Python objects which JSON does not have would call every answer wrong."""
    entry = made[0]
    if entry["answer"] is not None and made.score_answer(entry["answer"], json.loads(_gold(entry))) != 1:
        raise InputError(f"data={words}: its verifier rejects the task's own answer once it is text; take another task")


def _scalar(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _gold(entry: Mapping[str, Any]) -> str:
    metadata = {name: value for name, value in entry["metadata"].items() if name != "source_index"}
    return json.dumps({**entry, "metadata": metadata}, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's; what else JSON does not know as its text."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def _worked(entry: Mapping[str, Any]) -> str | None:
    """The worked text, which ends in the answer as the verifier wants it: the steps alone may end in another form."""
    for name in WORKED:
        worked = entry["metadata"].get(name)
        if worked:
            text = worked if isinstance(worked, str) else "\n".join(map(str, worked))
            return text if final_answer(text) != text else f"{text}\n#### {entry['answer']}"
    return None

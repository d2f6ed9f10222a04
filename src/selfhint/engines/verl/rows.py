"""Rows of verl's data and the problems they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from selfhint.config.verl import VerlColumns
from selfhint.core.errors import InputError
from selfhint.core.problem import Problem, given_texts
from selfhint.core.prompt import Message, Prompt, question_of

_MISSING = object()


def value_at(row: Mapping[str, Any], name: str) -> Any:
    """What a row keeps under a name: a column, or else a field of `extra_info`; None where there is nothing."""
    found = _found(row, name)
    return None if found is _MISSING else found


def _found(row: Mapping[str, Any], name: str) -> Any:
    found = _walk(row, name)
    return _walk(row.get("extra_info"), name) if found is _MISSING else found


def _walk(place: Any, name: str) -> Any:
    for part in name.split("."):
        if not isinstance(place, Mapping) or part not in place:
            return _MISSING
        place = place[part]
    return place


def rows_of(batch: Any) -> list[dict[str, Any]]:
    """The rows of a batch (a TensorDict), as verl hands them to agent loops."""
    return [{name: _value(batch.get(name), i) for name in batch.keys()} for i in range(len(batch))]  # noqa: SIM118


def _value(column: Any, i: int) -> Any:
    from tensordict import NonTensorData, NonTensorStack

    if isinstance(column, NonTensorStack):
        return column[i].data
    return column.data if isinstance(column, NonTensorData) else column[i]


def messages_of(prompt: Prompt) -> Sequence[Message]:
    """A prompt as what it always is on verl; `problem_of` refuses others."""
    assert not isinstance(prompt, str)
    return prompt


def problem_of(row: Mapping[str, Any], prompt: Prompt, columns: VerlColumns) -> Problem:
    """The problem of a row. A value that is missing stays missing: the text "None" is nobody's answer.

    Args:
        prompt: the solver's, without a hint.

    Raises:
        InputError: the prompt is no list of messages, a message is no text, or the hints are of another form.
    """
    if isinstance(prompt, str | Mapping) or not isinstance(prompt, Iterable):
        raise InputError(
            f"data: a prompt is {str(prompt)[:60]!r}, not a list of messages; write it as "
            '[{"role": "user", "content": "..."}] (verl reads it with the model\'s chat template)'
        )
    for message in prompt:
        if not isinstance(message, Mapping) or not isinstance(message.get("content"), str):
            raise InputError(
                f"data: a message of a prompt is {str(message)[:60]!r}, which is no text; hints work with text models, "
                "whose prompts are lists of {role, content} with one string each"
            )
    try:
        hints = given_texts(_plain(value_at(row, columns.hints))) if columns.hints else {}
    except ValueError as error:
        raise InputError(f"data: {columns.hints}: the hints are {error}") from None
    question = value_at(row, columns.problem) if columns.problem else None
    solution, answer = value_at(row, columns.solution), value_at(row, columns.answer)
    return Problem(
        question=question_of(prompt) if question is None else str(question),
        solution=None if solution is None else str(solution),
        answer="" if answer is None else str(answer),
        prompt=prompt,
        hints=hints,
    )


def _plain(value: Any) -> Any:
    """Nested data without the arrays that come from Parquet through data frames."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(inside) for key, inside in value.items()}
    return [_plain(inside) for inside in value] if isinstance(value, list | tuple) else value


def check_row(row: Mapping[str, Any], columns: VerlColumns, needs_solution: bool) -> None:
    """Looks at the first row of the training data, as verl reads it, before models are loaded.

    Raises:
        InputError: something that the run needs is not where the settings say, or no hint can go into the prompt.
    """
    problem_of(row, row["raw_prompt"], columns)
    if needs_solution and not any(message.get("role") == "user" for message in row["raw_prompt"]):
        raise InputError(
            "data.train_files: the first row's prompt has no user message, which would carry a hint; give it one"
        )
    needed = {"problem": columns.problem} if columns.problem else {}
    if columns.hints:
        needed |= {"answer": columns.answer}
    if needs_solution:
        needed |= {"solution": columns.solution, "answer": columns.answer}
    for role, name in needed.items():
        if _found(row, name) is _MISSING:  # a null is there: this problem has none
            inside = row.get("extra_info")
            names = [*row, *(f"extra_info.{key}" for key in inside or () if isinstance(inside, Mapping))]
            found = ", ".join(map(str, names))
            raise InputError(
                f"data.train_files: the first row has no {name!r} for the {role} (found: {found}); "
                f"name it with selfhint.columns.{role}=..."
            )

"""What travels between the driver, which keeps the ledger, and the workers, which run the visits."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, TypedDict

from selfhint.core.errors import SelfHintError
from selfhint.core.group import Completion, Group, Visit
from selfhint.core.ledger import ProblemRecord
from selfhint.core.problem import GivenTexts

ASSIGNMENT = "selfhint"
"""The column of a dispatched row that holds its assignment."""
ACCOUNT = "selfhint_visit"
"""The extra field of a group's first completion that holds the visit's account."""
Failure = SelfHintError | str
"""Why a visit failed: an error that no repetition mends and that stops the run, or what else went wrong."""


class Assignment(TypedDict):
    """What a worker must know of a row's problem.

    Args:
        visit: how many visits the problem had before.
        record: its history as it stood before the step, as `dataclasses.asdict` gives it.
        epoch: pass over the data, counted from 0.
        hints: what the hints file holds for it; None without such a file.
    """

    visit: int
    record: dict[str, Any]
    epoch: int
    hints: dict[int, tuple[str, ...]] | None


def assignment(record: ProblemRecord, visit: int, epoch: int, hints: GivenTexts | None) -> Assignment:
    """What goes with a row to its worker."""
    return {
        "visit": visit,
        "record": asdict(record),
        "epoch": epoch,
        "hints": None if hints is None else dict(hints),
    }


def attach(visit: Visit, extra_fields: dict[str, Any]) -> None:
    """Puts the visit's account, without texts and tokens of completions, into the extra fields of a completion."""
    groups = tuple(_without_texts(group) for group in visit.groups)
    extra_fields[ACCOUNT] = pickle.dumps(replace(visit, groups=groups))


def account_in(extra_fields: Mapping[str, Any]) -> Visit:
    """The account that `attach` put there."""
    visit: Visit = pickle.loads(extra_fields[ACCOUNT])
    return visit


def first_line(error: BaseException) -> str:
    """An error in one line; of what a remote process raised, without that process's traceback."""
    cause = original(error)
    return f"{type(cause).__name__}: {cause}".splitlines()[0]


def original(error: BaseException) -> BaseException:
    """What was raised first: Ray wraps an error once for each process that it passes."""
    while isinstance(cause := getattr(error, "cause", None), BaseException):
        error = cause
    return error


def _without_texts(group: Group) -> Group:
    bare = tuple(Completion("", completion.num_tokens) for completion in group.completions)
    return replace(group, completions=bare, prompt="")

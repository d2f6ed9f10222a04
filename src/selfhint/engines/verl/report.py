"""What travels between the driver, which keeps the ledger, and the workers, which run the visits."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, TypedDict

from selfhint.core.errors import SelfHintError
from selfhint.core.group import Completion, Group, Visit
from selfhint.core.ledger import StoredHint
from selfhint.core.plan import Plan
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
        levels, why: the visit's plan.
        stored: the texts that the problem's record keeps, by level, as `dataclasses.asdict` gives them.
        epoch: pass over the data, counted from 0.
        hints: what the hints file holds for it; None without such a file.
    """

    visit: int
    levels: tuple[int, ...]
    why: dict[str, Any] | None
    stored: dict[int, dict[str, Any]]
    epoch: int
    hints: dict[int, tuple[str, ...]] | None


def assignment(
    plan: Plan, stored: Mapping[int, StoredHint], visit: int, epoch: int, hints: GivenTexts | None
) -> Assignment:
    """What goes with a row to its worker."""
    return {
        "visit": visit,
        "levels": plan.levels,
        "why": None if plan.why is None else dict(plan.why),
        "stored": {level: asdict(hint) for level, hint in stored.items()},
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

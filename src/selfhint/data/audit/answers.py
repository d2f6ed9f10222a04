"""Whether a gold answer can be earned, and whether the reference solution leads to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from selfhint.core.group import Verdict
from selfhint.core.problem import Problem
from selfhint.data.audit.findings import Findings
from selfhint.data.overlap.reading import tokens_of
from selfhint.data.rows import Place
from selfhint.data.trace import final_answer

MADE_UP = r"\boxed{-7919.25}"
"""An answer that no problem has."""
SHOWN = 60
"""Characters of an answer in a detail."""

Judge = Callable[[Sequence[str], Sequence[str]], Sequence[Verdict]]


@dataclass(frozen=True, slots=True)
class AnswerTools:
    """What the verifier knows of answers.

    Args:
        judge: golds and completions → verdicts in order.
        told: gold → the answer as a completion would give it; None where the gold holds none.
        boxed: the last answer that a text puts into a box; None without one.
        values: the values of an answer; one where it is a single value.
        no_verdict: reasons of verdicts that say nothing of the answer, such as a time limit.
        is_foreign: whether a gold is for another verifier than this one.
    """

    judge: Judge
    told: Callable[[str], str | None]
    boxed: Callable[[str], str | None]
    values: Callable[[str], Sequence[str]]
    no_verdict: Collection[str]
    is_foreign: Callable[[str], bool] = lambda gold: False


def check_answers(rows: Sequence[tuple[Place, Problem]], tools: AnswerTools, findings: Findings) -> None:
    """Looks at some rows at once, so that the verifier's workers all have something to do."""
    for place, problem in rows:
        if tools.is_foreign(problem.answer):
            findings.add("gold_of_another_kind", place)
    rows = [(place, problem) for place, problem in rows if not tools.is_foreign(problem.answer)]
    rejected = set(_check_golds(rows, tools, findings))
    for place, problem in rows:
        values = tools.values(tools.told(problem.answer) or "")
        if len(values) > 1:
            findings.add("several_values", place, _short(problem.answer))
    _check_solutions([(place, p) for place, p in rows if p.solution and place not in rejected], tools, findings)


def _check_golds(rows: Sequence[tuple[Place, Problem]], tools: AnswerTools, findings: Findings) -> Iterator[Place]:
    """Judges each gold as its own completion, and a made-up answer; the places of those that are not right."""
    golds = [problem.answer for _, problem in rows]
    verdicts = _own_verdicts(golds, tools)
    made_up = tools.judge(golds, [MADE_UP] * len(golds))
    for (place, _), gold, wrong in zip(rows, golds, made_up, strict=True):
        own = verdicts.get(gold)
        if own is not None and own.correct is False:
            findings.add("gold_rejected", place, f"{_short(gold)}: {own.reason}")
        elif wrong.correct is None or (own is not None and own.correct is None):
            findings.add("gold_unreadable", place, _short(gold))
        elif wrong.correct:
            findings.add("gold_accepts_anything", place, _short(gold))
        if own is not None and not own.correct:
            yield place


def _own_verdicts(golds: Sequence[str], tools: AnswerTools) -> dict[str, Verdict]:
    """The verdict of each gold as a completion in a box; without one where that is not right, for functions of the
    user's that know no boxes.
    """
    own = {gold: told for gold in golds if (told := tools.told(gold)) is not None}
    verdicts = dict(zip(own, tools.judge([*own], [rf"\boxed{{{told}}}" for told in own.values()]), strict=True))
    again = [gold for gold, verdict in verdicts.items() if not verdict.correct]
    return verdicts | dict(zip(again, tools.judge(again, [own[gold] for gold in again]), strict=True))


def _check_solutions(rows: Sequence[tuple[Place, Problem]], tools: AnswerTools, findings: Findings) -> None:
    judged = []
    for place, problem in rows:
        solution = problem.solution or ""
        ending = final_answer(solution)
        marked = ending if ending != solution else tools.boxed(solution)
        if marked is not None or not _shows(solution, tools.values(tools.told(problem.answer) or problem.answer)):
            judged.append((place, problem.answer, ending, marked))
    verdicts = tools.judge([gold for _, gold, _, _ in judged], [ending for _, _, ending, _ in judged])
    for (place, gold, _, marked), verdict in zip(judged, verdicts, strict=True):
        if verdict.correct or verdict.reason in tools.no_verdict:
            continue
        if marked is None:
            findings.add("answer_absent", place, _short(gold))
        elif verdict.correct is not None:
            findings.add("solution_disagrees", place, f"{_short(marked)}, not {_short(gold)}")


def _shows(solution: str, values: Sequence[str]) -> bool:
    """Whether each value stands in the text, in whatever spelling of spaces, brackets and commands."""
    tokens = _bare(solution)
    return all(_stands(_bare(value), tokens) for value in values)


_BOLD = re.compile(r"\\mathbf\s*\{[^{}]*\}")
_APART = re.compile(r"(?<=[\d-])\s+(?=\d)")
r"""Texts that were read from scans write a bold number as \mathbf{1 5 1 2}."""
_WITHOUT_VALUE = frozenset(("(", ")", "[", "]", "/", "frac"))
r"""Tokens that are left out, so that 3/4 is \frac{3}{4}."""


def _bare(text: str) -> list[str]:
    text = _BOLD.sub(lambda bold: _APART.sub("", bold[0]), text)
    return [token for token in tokens_of(text) if token not in _WITHOUT_VALUE]


def _stands(part: list[str], tokens: list[str]) -> bool:
    first = part[:1]
    places = (i for i, token in enumerate(tokens) if [token] == first)
    return not part or any(tokens[i : i + len(part)] == part for i in places)


def _short(text: str) -> str:
    return repr(text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}...")

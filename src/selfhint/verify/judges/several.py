"""Whether answers of several values are equal, by their labels where they have some."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from selfhint.verify.judges.single import same_value
from selfhint.verify.parts import Part, parts, spread


def same_parts(gold: str, answer: str) -> bool:
    """Whether two answers have the same values; which is which matters where labels say so."""
    of_gold = parts(gold)
    if any(_match_parts(of_gold, of_answer, gold, answer) for of_answer in (parts(answer), spread(answer))):
        return True
    of_tuple = _inside(answer)
    if len(of_tuple) > 1 and all(part.label for part in of_gold) and _match_parts(of_gold, of_tuple, gold, answer):
        return True
    return bool(spread(gold)) and _match_parts(spread(gold), parts(answer), gold, answer)


def _inside(text: str) -> tuple[Part, ...]:
    """The values of a tuple."""
    return parts(text[1:-1]) if text.startswith("(") and text.endswith(")") else ()


def _match_parts(gold: tuple[Part, ...], answer: tuple[Part, ...], whole_gold: str, whole_answer: str) -> bool:
    if len(gold) != len(answer) or not gold:
        return False
    if len(gold) == 1:
        return (gold[0].value, answer[0].value) != (whole_gold, whole_answer) and _same_part(gold[0], answer[0])
    labelled = [any(part.label for part in side) for side in (gold, answer)]
    if all(labelled):
        return _same_records(gold, answer)
    if labelled[0] and names_differ(gold):  # p = 3, q = 4 says which is which, so 4, 3 is another answer
        return all(_same_part(*pair) for pair in zip(gold, answer, strict=True))
    return assigned(gold, answer, _same_part)


def names_differ(side: tuple[Part, ...]) -> bool:
    """Labels that are not x, x, … nor x_1, x_2, …"""
    return len({(part.label or "").split("_")[0] for part in side}) == len(side)


def _same_records(gold: tuple[Part, ...], answer: tuple[Part, ...]) -> bool:
    """Labelled values: p = 5, q = 2; p = 7, q = 2 are two records, in any order; within one, label by label."""
    records = [_records(side) for side in (gold, answer)]
    return len(records[0]) == len(records[1]) and assigned(records[0], records[1], _same_record)


def _records(side: tuple[Part, ...]) -> list[dict[str, Part]]:
    records: list[dict[str, Part]] = [{}]
    for part in side:
        name = _name(part)
        if name in records[-1]:
            records.append({})
        records[-1][name] = part
    return records


def _name(part: Part) -> str:
    """A label without its argument where that is a variable: f(n) = n and f(x) = x are one function."""
    label = part.label or ""
    return label.split("(")[0] if part.of is not None and part.of.isalpha() else label


def _same_record(gold: dict[str, Part], answer: dict[str, Part]) -> bool:
    return gold.keys() == answer.keys() and all(_same_part(part, answer[name]) for name, part in gold.items())


def _same_part(gold: Part, answer: Part) -> bool:
    if gold.label and answer.label and _name(gold) != _name(answer):
        return False
    value = answer.value
    if gold.of and answer.of and gold.of != answer.of and gold.of.isalpha() and answer.of.isalpha():
        if re.search(rf"(?<![a-zA-Z\\]){gold.of}(?![a-zA-Z])", value):
            return False
        value = re.sub(rf"(?<![a-zA-Z\\]){answer.of}(?![a-zA-Z])", gold.of, value)
    return same_value(gold.value, value)


def assigned(gold: Sequence[Any], answer: Sequence[Any], same: Callable[[Any, Any], bool]) -> bool:
    """Whether the answer's items are the gold's in some order. Equality is transitive here, so greedily."""
    left = list(answer)
    for item in gold:
        found = next((i for i, other in enumerate(left) if same(item, other)), None)
        if found is None:
            return False
        del left[found]
    return True

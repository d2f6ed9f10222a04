"""Whether two mathematical answers are equal: as one value, as sets, or value by value."""

from __future__ import annotations

import re

from selfhint.verify.judges.reading import ELLIPSIS
from selfhint.verify.judges.sets import same_sets
from selfhint.verify.judges.several import names_differ, same_parts
from selfhint.verify.judges.single import same_value, squeezed
from selfhint.verify.parts import parts

_DOMAIN = re.compile(
    r"[,;]?\s*(?:\\text\s*\{[^{}]{0,12}\})?\s*\(?\s*[a-zA-Z]\s*\\in\s*\\?(?:mathbb)?\s*\{?\s*[ZNQR]\s*\}?\s*\)?$"
)


def same(gold: str, answer: str) -> bool:
    """Whether two tidy answers are equal: as they stand, as intervals and inequalities, or value by value."""
    if not gold or not answer:
        return False
    values = parts(gold)
    if len(values) > 1 and all(part.label for part in values) and names_differ(values):
        return squeezed(gold) == squeezed(answer) or same_parts(gold, answer)  # which is which matters
    return same_value(gold, answer) or same_structure(gold, answer)


def same_structure(gold: str, answer: str) -> bool:
    """Whether two tidy answers are equal as intervals and inequalities, or value by value."""
    if ELLIPSIS.search(gold) or ELLIPSIS.search(answer):
        return False
    if same_sets(gold, answer) or same_parts(gold, answer):
        return True
    bare = [_DOMAIN.sub("", side) for side in (gold, answer)]  # x = k\pi, k \in \mathbb{Z}
    return (bare[0] == gold) != (bare[1] == answer) and all(bare) and same(*bare)

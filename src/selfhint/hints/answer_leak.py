"""Does a hint give the answer away? In digits, in LaTeX, in words, as an interval or as a choice.

An answer that does not stand in the question may not stand in a hint. One that does (the 24 of "each of the 24 boxes")
is a leak only where the text states it as the answer ("The answer is 24", "72 - 48 = 24", a box).
"""

from __future__ import annotations

import re

from selfhint.hints.answer_forms import AnswerForms, answer_forms
from selfhint.hints.calendar_words import names_short
from selfhint.hints.carried_out import carries_out
from selfhint.hints.choices import (
    Choice,
    choice_of,
    names_letter,
    names_lone_letter,
    names_place,
    rules_out_others,
    with_capital_labels,
)
from selfhint.hints.counted import counts_tools
from selfhint.hints.definitions import defines
from selfhint.hints.described import describes_fraction, describes_parts, makes_negative, names_ordinal
from selfhint.hints.equal_value import names_equal, same_relation
from selfhint.hints.intervals import names_intervals
from selfhint.hints.listed import MIN_UNSTATED, names_list
from selfhint.hints.number_words import with_digits
from selfhint.hints.numbering import without_numbering
from selfhint.hints.occurrences import Span, occurrences
from selfhint.hints.opposites import denies_opposite
from selfhint.hints.option_marks import names_mark
from selfhint.hints.orders import is_singled_out, rules_out_rivals, tells_order
from selfhint.hints.pairs import asks_for_pair
from selfhint.hints.plain import plain
from selfhint.hints.players import names_player
from selfhint.hints.quantities import names_in_other_unit
from selfhint.hints.senses import in_other_sense
from selfhint.hints.spelled import spells
from selfhint.hints.stated import is_asked, is_incidental, is_stated
from selfhint.hints.stated_words import is_stated_word
from selfhint.hints.unreduced import names_rounded, names_unreduced
from selfhint.hints.within import is_within
from selfhint.hints.yes_no import answers_yes_or_no

_SENTENCE = re.compile(r"(?:(?:^|(?<=\n)) ?\d{1,2}[.):] |[^.!?\n]|[.!?](?!\s|$))+")


_LONE_LETTER = re.compile(r"\(?\s?([A-Z])\s?\)?")


def answer_leak(text: str, answer: str, question: str) -> str | None:
    """`answer` or `answer_in_words` where `text` gives the answer away, else None."""
    text = plain(text)
    if choice := choice_of(answer, question):
        return _choice_leak(with_capital_labels(text), choice)
    question, forms = plain(question), answer_forms(answer)
    if not forms.is_word:
        text = without_numbering(text)
    if letter := _LONE_LETTER.fullmatch(forms.text):
        return "answer" if names_lone_letter(text, letter[1]) else None
    if names := names_intervals(answer):
        if names(text, question):
            return "answer"
        return _all_parts_leak(text, answer, question) if asks_for_pair(question, plain(answer)) else None
    if "=" in answer and _names_equation(text, plain(answer)) and not same_relation(question, plain(answer)):
        return "answer"
    forms = _without_known_noun(forms, question)
    if forms.is_word and forms.text.casefold() in ("yes", "no"):
        stated = any(is_stated(text, span) for span in occurrences(text, forms))
        return "answer" if stated or answers_yes_or_no(text, forms.text, question) else None
    parts = _parts(answer)
    is_list = len(parts) >= MIN_UNSTATED and all(part.numbers or part.fractions for part in parts)
    if leak := (None if is_list else _leak(text, forms, question)) or _all_parts_leak(text, answer, question):
        return leak
    if forms.integer is not None and names_ordinal(text, forms.integer, question):
        return "answer"
    if forms.value is not None and names_in_other_unit(text, forms.value, plain(answer), question):
        return "answer"
    return "answer" if _in_another_form(text, forms, question) else None


_TO_CHANGE = re.compile(
    r"\b(?:rewrite|rearrange|isolate|convert|expand|simplify|solve|bring|turn|transform)\b", re.IGNORECASE
)


def _names_equation(text: str, answer: str) -> bool:
    """An equation of the same solutions, not one that is to be worked on."""
    sentences = (sentence.group() for sentence in _SENTENCE.finditer(text))
    return any(same_relation(part, answer) for part in sentences if not _TO_CHANGE.search(part))


def _in_another_form(text: str, forms: AnswerForms, question: str) -> bool:
    """As an equal formula, by its parts, a number with its sign told apart; a word by its opposite or short name."""
    if forms.is_word:
        return (
            denies_opposite(text, forms.text, question)
            or names_short(text, forms.text, question)
            or names_player(text, forms.text, question)
            or tells_order(text, forms.text, question)
            or rules_out_rivals(text, forms.text, question)
            or spells(text, forms.text)
            or defines(text, forms.text, question)
        )
    if forms.ratio is not None and (
        names_unreduced(text, forms.ratio, question)
        or describes_fraction(text, forms.ratio, question)
        or names_rounded(text, forms.ratio)
    ):
        return True
    if "." in forms.text and any(True for _ in occurrences(with_digits(text), forms)):
        return not any(True for _ in occurrences(question, forms))
    if forms.numbers or forms.fractions:
        return _sign_apart(text, forms, question)
    return names_equal(text, forms.text, question) or describes_parts(text, forms.text, question)


def _sign_apart(text: str, forms: AnswerForms, question: str) -> bool:
    """A negative answer as "it would be 5/12, but with a minus sign in front"; the question does not name 5/12."""
    if not forms.text.startswith("-"):
        return False
    unsigned = answer_forms(forms.text.lstrip("- "))
    if any(True for _ in occurrences(question, unsigned)):
        return False
    for sentence in _SENTENCE.finditer(text):
        part = sentence.group()
        if not makes_negative(part):
            continue
        if any(not is_incidental(part, span, unsigned) for span in occurrences(part, unsigned)):
            return True
    return False


def _without_known_noun(forms: AnswerForms, question: str) -> AnswerForms:
    """The "odd" of "odd function" where the question speaks of functions."""
    first, _, noun = forms.text.rpartition(" ")
    if (
        not (forms.is_word and noun.isalpha())
        or len(first) < 3
        or not re.search(rf"\b{re.escape(noun)}", question, re.IGNORECASE)
    ):
        return forms
    return answer_forms(first)


def _leak(text: str, forms: AnswerForms, question: str) -> str | None:
    shared = {span.written for span in occurrences(question, forms)}
    in_words = False
    for span in occurrences(text, forms):
        if not _gives_away(text, span, forms, question, span.written in shared):
            continue
        if not span.in_words:
            return "answer"
        in_words = True
    return "answer_in_words" if in_words else None


def _gives_away(text: str, span: Span, forms: AnswerForms, question: str, shared: bool) -> bool:
    if forms.is_word:
        if in_other_sense(text, span):
            return False
        if shared:
            return is_stated_word(text, span, question) or is_singled_out(text, span, forms.text, question)
        return not is_incidental(text, span, forms)
    if not shared and carries_out(text, span, question):
        return True
    if not forms.expression and is_within(text, span, question):
        return False
    if is_stated(text, span):
        return True
    if is_incidental(text, span, forms) or counts_tools(text, span, question):
        return False
    return not shared or is_asked(text, span, question)


_SEPARATOR = re.compile(r"\s?(?:,|;|\band\b|\bor\b)\s?")
MAX_PARTS = 8


def _all_parts_leak(text: str, answer: str, question: str) -> str | None:
    """Of an answer that is a list or a point: whether each part is given away."""
    parts = _parts(answer)
    if len(parts) < 2:
        return None
    if names_list(text, parts, ordered=plain(answer).lstrip(" .$").startswith("("), question=question):
        return "answer"
    return "answer" if all(_leak(text, part, question) for part in parts) else None


def _parts(answer: str) -> list[AnswerForms]:
    """The parts of a list or a point of numbers or formulas; none where there are too many, or words."""
    listed = [part.strip("'\"") for part in _SEPARATOR.split(plain(answer).strip(" .(){}[]$"))]
    parts = [answer_forms(signed) for part in listed if part for signed in _both_signs(part)]
    return [] if len(parts) > MAX_PARTS or any(part.is_word for part in parts) else parts


def _both_signs(part: str) -> list[str]:
    """15 and -15 for ±15."""
    return [part.replace("±", sign) for sign in "+-"] if part.count("±") == 1 else [part]


_WEIGHS_ONE = re.compile(
    r"\W*(?:(?:then|now|first|next|to start)\W+)?(?:write|convert|express|rewrite|turn|compute|evaluate"
    r"|calculate|compare|test"
    r"|try|check|consider|look|what|which|is|does|could)\b",
    re.IGNORECASE,
)
"""A sentence that looks at one option without a verdict."""


_ASKS_WHY = re.compile(r"\W*(?:(?:do|can) you see )?why\b", re.IGNORECASE)
"""A question that takes its answer for granted."""


def _choice_leak(text: str, choice: Choice) -> str | None:
    """The letter or the text of the right option; a sentence that weighs several options gives none away."""
    if names_letter(text, choice.letter) or names_place(text, choice) or rules_out_others(text, choice):
        return "answer"
    if not choice.text:
        return None
    right = answer_forms(choice.text)
    if not right.is_word:
        text = without_numbering(text)
    if names_mark(text, choice):
        return "answer"
    others = [answer_forms(other) for other in choice.others]
    known = {other.casefold() for other in choice.others}
    stem = plain(choice.stem)
    reasons, plain_sentences = [], []
    for sentence in _SENTENCE.finditer(text):
        part = sentence.group()
        spans = [s for s in occurrences(part, right) if part[s.start : s.end].casefold() not in known]
        rivals = [rival for other in others for rival in occurrences(part, other)]
        weighs = any(all(r.end <= s.start or s.end <= r.start for s in spans) for r in rivals)
        asks = text[sentence.end() : sentence.end() + 1] == "?" and not _ASKS_WHY.match(part)
        weighs = weighs or bool(_WEIGHS_ONE.match(part)) or asks
        if weighs and any(_is_given(part, span, right, stem) for span in spans):
            reasons.append("answer")
        elif spans and not weighs and (reason := _leak(part, right, stem)):
            reasons.append(reason)
        elif not rivals and not weighs:
            plain_sentences.append(part)
    if not reasons and _names_option(".\n".join(plain_sentences), right, choice.text, stem):
        return "answer"
    return min(reasons, default=None)


def _names_option(text: str, right: AnswerForms, option: str, stem: str) -> bool:
    """The option's text in an equal form."""
    if names := names_intervals(option):
        return names(text, stem)
    if same_relation(text, option) and not same_relation(stem, option):
        return True
    if right.value is not None and names_in_other_unit(text, right.value, option, stem):
        return True
    return _in_another_form(text, right, stem)


def _is_given(text: str, span: Span, forms: AnswerForms, question: str) -> bool:
    if forms.is_word:
        return is_stated_word(text, span, question)
    return is_stated(text, span) or is_asked(text, span, question)

"""The options of a multiple-choice question, and where a hint names one of their letters."""

from __future__ import annotations

import re
from typing import NamedTuple

from selfhint.hints.plain import plain

_LABEL = re.compile(r"(?:(?<=[\s,;:])|^)(?:\(\s?([A-J])\s?\)|([A-J])[.):])\s?")
_MENTION = re.compile(r"\(\s?([A-J])\s?\)|(?:^|\n|: )([A-J])[.):](?=\s)")
_LETTER = re.compile(r"\s*(?:(?:option|choice|answer)\s+)?\(?\s*([A-J])\s*[).]?\s*", re.IGNORECASE)
_WRAPPED = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|mbox|boxed)\s*\{([^{}]*)\}")


class Choice(NamedTuple):
    """The right option of a question.

    Args:
        letter: its label.
        text: what it says; empty where the question does not list it.
        others: what the other options say.
        stem: the question without its options.
    """

    letter: str
    text: str
    others: tuple[str, ...]
    stem: str


def choice_of(answer: str, question: str) -> Choice | None:
    """The option that the answer means, by its letter or its text; None where the question lists no options."""
    options, stem = options_of(question)
    if len(options) < 2:
        return None
    bare = _WRAPPED.sub(r"\1", answer).strip(" $")
    letter = match[1].upper() if (match := _LETTER.fullmatch(bare)) else ""
    if letter not in options:
        same = [key for key, text in options.items() if text.casefold() == plain(bare).strip(" .").casefold()]
        if len(same) != 1:
            return None
        letter = same[0]
    return Choice(letter, options[letter], tuple(text for key, text in options.items() if key != letter), stem)


def options_of(question: str) -> tuple[dict[str, str], str]:
    """Letter → text of the options (A, B, … in order, from the last A on), and the question in front of them."""
    labels = list(_LABEL.finditer(question))
    firsts = [i for i, label in enumerate(labels) if (label[1] or label[2]) == "A"]
    run = labels[firsts[-1] :] if firsts else []
    kept: list[re.Match[str]] = []
    for label in run:
        if (label[1] or label[2]) == chr(ord("A") + len(kept)):
            kept.append(label)
    ends = [label.start() for label in kept[1:]] + [len(question)]
    options = {
        label[1] or label[2]: plain(question[label.end() : end]).strip(" .,;\n")
        for label, end in zip(kept, ends, strict=False)
    }
    return options, question[: kept[0].start()] if kept else question


def names_letter(text: str, letter: str) -> bool:
    """Whether a text in plain writing gives the letter as the answer."""
    label = rf"\(?\s?{letter}\s?\)?"
    if re.fullmatch(rf"\W*(?:option|choice|answer)?\W*{letter}\W*", text, re.IGNORECASE):
        return True
    if re.search(_STATED.replace("@", label), text):
        return True
    labels = {found[1] or found[2] for found in _MENTION.finditer(text)}
    return labels == {letter}


_DENIES = re.compile(r"\b(?:not|none|neither|no|never|false|wrong|out|fails?|excluded?)\b|n't", re.IGNORECASE)
_BARE_LETTER = re.compile(r"(?<![\w'^_])([A-J])(?![\w'^_=])")


def rules_out_others(text: str, choice: Choice) -> bool:
    """Whether a text speaks of every option but the right one: what is left needs no name.

    By letter, those without brackets where the question has none of its own (points, sets), or by text with a denial;
    of less than three others a denial is needed in any case, of one other nothing tells.
    """
    num = len(choice.others)
    denies = bool(_DENIES.search(text))
    if num < MIN_OTHERS or (num < MIN_UNDENIED and not denies):
        return False
    labels = {found[1] or found[2] for found in _MENTION.finditer(text)}
    if not _BARE_LETTER.search(choice.stem):
        labels |= set(_BARE_LETTER.findall(text))
    letters = {chr(ord("A") + i) for i in range(num + 1)}
    if labels & letters == letters - {choice.letter}:
        return True
    named = (re.search(rf"\b{re.escape(option)}s?\b", text, re.IGNORECASE) for option in choice.others)
    tells = denies or (num >= MIN_UNDENIED and all(option.isalpha() for option in choice.others))
    return tells and choice.text.casefold() not in text.casefold() and all(named)


MIN_OTHERS, MIN_UNDENIED = 2, 3

_ORDINALS = ("first|1st", "second|2nd", "third|3rd", "fourth|4th", "fifth|5th", "sixth|6th", "seventh|7th")
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven")
_PLACE_NOUN = r"(?:option|choice|answer|alternative|statement|possibility)"
_PLACE_PICK = (
    r"(?:choose|choosing|pick|picking|select|selecting|take|mark|circle|go (?:with|for)|opt for|tick|is|it's|that's|be"
    r"|leaves|leaving|gives"
    r"|answer:|left with|matches|corresponds to|favou?rs)"
)


def names_place(text: str, choice: Choice) -> bool:
    """Whether a text picks the option by its place: "choose the second option", "option number 2 is correct"."""
    index, num = ord(choice.letter) - ord("A"), len(choice.others) + 1
    if index >= len(_ORDINALS):
        return False
    ordinal = _ORDINALS[index] + ("|last|final" if index == num - 1 else "")
    cardinal = rf"(?:number |no\. ?|# ?)?(?:{index + 1}|{_CARDINALS[index]})"
    place = rf"(?:the (?:very )?(?:{ordinal}) (?:{_PLACE_NOUN}|one)|{_PLACE_NOUN} {cardinal})"
    verdict = r"(?:the )?(?:right|correct|true|answer|one|only|best|solution)"
    good = rf"(?:is|must be|has to be) {verdict}|works|fits|remains|wins"
    if re.fullmatch(rf"\W*(?:{place}|(?:the )?(?:{ordinal}) \w+)\W*", text, re.IGNORECASE):
        return True
    return bool(re.search(rf"\b{_PLACE_PICK} (?:only )?{place}\b|\b{place} (?:{good})\b", text, re.IGNORECASE))


_NOUN = r"(?i:options?|choices?|answers?|letters?|alternatives?|solutions?|results?)"
_PICK = r"(?i:choose|pick|select|take|mark|circle)"
_LINK = r"(?i:is|are|must be|would be|should be|letter|option|choice|aspect|number|therefore|thus|the)"
_VERDICT = (
    r"(?i:correct|right|true|best|the (?:answer|solution|one|right|correct|only|best)|always|our|your|valid|it\b)"
)
_WEIGHED = r"(?![\w'])(?!\s(?:[a-z]+\s){0,2}(?:or|and|not)\b)"
_STATED = (
    rf"\b(?:{_NOUN}|{_PICK})\b(?:\s?[:=]|\s{_LINK})*\W{{0,3}}@{_WEIGHED}"
    rf"|(?:^|[.!?\n]\s?)@,?\s(?i:since|because|by|beats|wins)\b"
    rf"|(?<![\w'])@\s(?i:is|must be|has to be|would be)\s(?:\w+\s)?{_VERDICT}"
    rf"|\b(?i:it|that|this)(?:'s|\s(?i:is|must be|has to be))\s@(?![\w'])"
    rf"|(?<![\w'])@\s(?i:fits|works|remains|wins|it is|is left|satisfies)\b"
    r"|(?<![\w'])@\s(?i:is)\s(?i:(?:clearly|thus|therefore|indeed)\s)?(?i:the\s)?(?i:[a-z]{3,8}est|most|least|only)\b"
    rf"|\b(?i:leaves|leaving)\s(?i:only\s|us with\s|just\s)?@{_WEIGHED}"
    r"|(?:→|->|=>|⇒)\s?@\s?(?:$|[.!\n])"
    r"|\\boxed\s?\{\s?@\s?\}"
    r"|(?:^|[.,;:!?\n]\s?)(?i:so|thus|hence|therefore)\b[^.!?\n]{0,20}\W@\s?(?:$|[.!\n])"
    r"|[,:=]\s?(?i:so|thus|hence|therefore|which is|that is|namely)\W{1,3}@\s?(?:$|[.!\n])"
)
"""Ways to give a letter as the answer; `@` is the letter, in brackets or not."""

"""The options of a multiple-choice question, and where a hint names one of their letters."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from selfhint.hints.plain import plain

_LABEL = re.compile(r"(?:(?<=[\s,;:])|^)(?:\(\s?([A-J])\s?\)|([A-J])[.):])\s?")
_SMALL_LABEL = re.compile(r"(?:(?<=[\s,;:])|^)(?:\(\s?([a-j])\s?\)|([a-j])\))\s?")
_FONT = r"\\(?:text|math|mbox)(?:bf|it|rm|sf)?\s?\{"
_SET_LABEL = re.compile(
    rf"\$?\{{?{_FONT}\s?(?:\(\s?([A-J])\s?\)|([A-J])[.):])\s?\}}\}}?|(?<![\w}}])\(\s?{_FONT}\s?([A-J])\s?\}}\s?\)"
)
r"""A label in LaTeX, its bracket inside or outside: \textbf{(A)}, \text{(A) }, (\mathrm{A}), \mathrm{A)}."""
_MENTION = re.compile(r"(?<!\w)\(\s?([A-J])\s?\)|(?:^|\n|: )([A-J])[.):](?=\s)")
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
    """The option that the answer means, by its letter or its text.

    Where the question lists no options, an answer that holds both tells them; else None.
    """
    options, stem = options_of(question)
    if len(options) < 2:
        return _labelled(answer, question)
    bare = _WRAPPED.sub(r"\1", answer).strip(" $")
    letter = match[1].upper() if (match := _LETTER.fullmatch(bare)) else _letter_in_front(answer, options)
    if letter not in options:
        same = [key for key, text in options.items() if text.casefold() == plain(bare).strip(" .").casefold()]
        if len(same) != 1:
            return None
        letter = same[0]
    return Choice(letter, options[letter], tuple(text for key, text in options.items() if key != letter), stem)


def _labelled(answer: str, question: str) -> Choice | None:
    """The option of an answer like "(C) 5"."""
    bare = _with_plain_labels(answer).strip(" $")
    label = _LABEL.match(bare)
    text = plain(bare[label.end() :]).strip(" .,;\n") if label else ""
    return Choice(label[1], text, (), question) if label and label[1] and text else None


def _letter_in_front(answer: str, options: Mapping[str, str]) -> str:
    """The C of "(C) 5" and "C. 5"; without brackets the option has to say the same."""
    bare = _with_plain_labels(answer).strip(" $")
    label = _LABEL.match(bare)
    if not label:
        return ""
    letter, rest = label[1] or label[2], plain(bare[label.end() :]).strip(" .,;\n")
    return letter if label[1] or options.get(letter, "").casefold() == rest.casefold() else ""


def options_of(question: str) -> tuple[dict[str, str], str]:
    """Letter → text of the options (A, B, … in order, from the last A on), and the question in front of them.

    Small letters count where there are no options with capital ones.
    """
    question = _with_plain_labels(question)
    kept = _run_of(_LABEL, question)
    if len(kept) < 2:
        kept = _run_of(_SMALL_LABEL, question) or kept
    ends = [label.start() for label in kept[1:]] + [len(question)]
    options = {
        (label[1] or label[2]).upper(): plain(question[label.end() : end]).strip(" .,;\n")
        for label, end in zip(kept, ends, strict=False)
    }
    return options, question[: kept[0].start()] if kept else question


def _run_of(pattern: re.Pattern[str], question: str) -> list[re.Match[str]]:
    """The labels from the last A on that follow each other in the alphabet."""
    kept: list[re.Match[str]] = []
    for label in pattern.finditer(question):
        letter = (label[1] or label[2]).upper()
        if letter == "A":
            kept = [label]
        elif kept and letter == chr(ord("A") + len(kept)):
            kept.append(label)
    return kept


def _with_plain_labels(text: str) -> str:
    """(A) for a label in LaTeX that holds nothing but its letter."""
    return _SET_LABEL.sub(lambda label: f" ({label[1] or label[2] or label[3]}) ", text)


def with_options(question: str, options: Sequence[str]) -> str:
    """The question with options behind it that come from elsewhere; as it is where it lists its own."""
    if not 2 <= len(options) <= MAX_OPTIONS or len(options_of(question)[0]) >= 2:
        return question
    return "\n".join([question, *(f"({chr(ord('A') + i)}) {option}" for i, option in enumerate(options))])


MAX_OPTIONS = 10


def with_capital_labels(text: str) -> str:
    """(C) for (c), and a small letter behind "the answer is" or "choose" at the end of a sentence as a capital one."""
    return _SMALL_MENTION.sub(lambda found: found.group().upper(), text)


_SMALL_MENTION = re.compile(
    r"(?<![\w)\]])\(\s?[a-j]\s?\)|(?:^|(?<=\n))[a-j]\)(?=\s)"
    r"|(?:(?<=answer is )|(?<=(?:option|choice|choose|select) )|(?<=pick )|(?<=it is ))[a-j](?=\)?\s*(?:$|[.!;,\n]))",
    re.IGNORECASE,
)


def names_letter(text: str, letter: str) -> bool:
    """Whether a text in plain writing gives the letter as the answer."""
    label = rf"\(?\s?{letter}\s?\)?"
    if re.fullmatch(rf"\W*(?:option|choice|answer)?\W*{letter}\W*", text, re.IGNORECASE):
        return True
    if re.search(_STATED.replace("@", label), text):
        return True
    labels = {found[1] or found[2] for found in _MENTION.finditer(text)}
    return labels == {letter}


def names_lone_letter(text: str, letter: str) -> bool:
    """The same where no options are known: the letter may be an article, a pronoun or the name of a point."""
    return names_letter(text, letter) or bool(re.search(_ENDS_WITH.replace("@", letter), text))


_ENDS_WITH = (
    r"(?:[:=]|\b(?i:is|be|equals|becomes?|gives?|gets?|comes|finds?|reach|ends? with|(?:comes?|leads?|amounts?) to))"
    r"\s?[\"'(]{0,2}@[\"')]{0,2}(?=\s*(?:$|[.,;!\n]|(?:since|because|as|for)\b))"
    r"|\b(?i:at|vertex|letter|corner|box|door|graph|figure)\s[\"'(]{0,2}@[\"')]{0,2}(?=\s*(?:$|[.!;\n]))"
    r"|(?<![\w'])@\s(?i:comes|follows|is next)\b"
)
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

"""Answers to "who wins?": a name, or a player by the turn ("whoever goes second can always win")."""

from __future__ import annotations

import re

_TURN = re.compile(r"(?:the )?(?:(first|second)(?: player)?|player (1|2|one|two|i|ii))", re.IGNORECASE)
_NAME = re.compile(r"[A-Z][a-z]+")
_FIRST = ("first", "1", "one", "i")
_WINS = (
    r"(?:wins?\b|winning|can always|always (?:has|wins?|can)|(?:can|will) (?:force|win)|guarantees?|has (?:a"
    r"|the) (?:strategy|advantage))"
)
_DOUBTS = re.compile(r"\b(?:if|when|whether|suppose|assume|could|would|might|what|does|who)\b|\?", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?\n]+\??")


def names_player(text: str, answer: str, question: str) -> bool:
    """Whether a sentence, not a question and without a condition, lets the player win that the answer names."""
    if not re.search(r"\bwin|\bstrategy", question, re.IGNORECASE):
        return False
    turn = _TURN.fullmatch(answer.strip())
    if not turn and not _NAME.fullmatch(answer.strip()):
        return False
    who = _turn_pattern(turn) if turn else rf"{re.escape(answer.strip())}(?! or\b)"
    wins = re.compile(
        rf"\b{who}\b[^.!?\n]{{0,30}}?\b{_WINS}|\b(?:strategy|win|victory) (?:belongs to|is for|for|of"
        rf"|goes to)\b.{{0,25}}{who}",
        re.IGNORECASE,
    )
    return any(wins.search(part) and not _DOUBTS.search(part) for part in _SENTENCE.findall(text))


def _turn_pattern(turn: re.Match[str]) -> str:
    first = (turn[1] or turn[2]).casefold() in _FIRST
    ordinal, number = ("first|1st", "1|one|I") if first else ("second|2nd", "2|two|II")
    return (
        rf"(?:(?:the )?(?:{ordinal}) (?:player|one|person|mover)|player (?:{number})"
        rf"|(?:moves|goes|going|moving|plays|playing|starting|to move|to go|begins) (?:{ordinal})"
        + (r"|(?:whoever|who|that) (?:starts|begins)|the starter|the starting player)" if first else ")")
    )

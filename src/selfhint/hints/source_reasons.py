"""Why a source has no text to offer: reasons beside those of `reasons.py`, which are about texts and answers."""

from __future__ import annotations

TEACHER_UNREACHABLE = "teacher_unreachable"
TEACHER_REFUSED = "teacher_refused"
TEACHER_LIMIT = "teacher_limit"
TEACHER_GARBAGE = "teacher_garbage"
TEACHER_TRUNCATED = "teacher_truncated"
NOT_GIVEN = "not_given"

SOURCE_REASONS: dict[str, str] = {
    NOT_GIVEN: "the data give no hint for this level",
    TEACHER_UNREACHABLE: "the teacher did not answer in time, or only with errors, also when asked again",
    TEACHER_REFUSED: "the teacher refused the request",
    TEACHER_LIMIT: "the teacher may be asked no more: teacher.max_requests or teacher.max_tokens_total is reached",
    TEACHER_GARBAGE: "what came from the teacher is no answer",
    TEACHER_TRUNCATED: "the teacher's answer was cut off at hints.max_tokens",
}
"""Reason → one-line meaning."""

USELESS_TO_REPEAT = frozenset({TEACHER_UNREACHABLE, TEACHER_REFUSED, TEACHER_LIMIT})
"""After one of these a visit asks no more."""

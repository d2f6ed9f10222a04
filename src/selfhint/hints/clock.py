"""A time of day as an answer: 3:45 PM, also without its half of the day and as 15:45."""

from __future__ import annotations

import re

_TIME = re.compile(r"(\d{1,2}):(\d\d)\s?(?:([ap])\.?\s?m\.?|o'clock)", re.IGNORECASE)


def clock_pattern(answer: str) -> re.Pattern[str] | None:
    """Where a text has the time that an answer in plain writing is; None where it is none.

    The other half of the day makes it another time.
    """
    found = _TIME.fullmatch(answer)
    if not found:
        return None
    hour, half = int(found[1]), (found[3] or "").lower()
    hours = {hour, hour % 12 + 12 * (half == "p")} if half else {hour}
    names = "|".join(f"0?{name}" for name in sorted(hours))
    other = rf"(?!\s?{'a' if half == 'p' else 'p'}\.?\s?m\b)" if half else ""
    return re.compile(rf"(?<![\w:.])(?:{names}):{found[2]}(?![\d:]){other}", re.IGNORECASE)

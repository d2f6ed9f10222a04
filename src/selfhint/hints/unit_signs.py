"""Signs of money, and units that stand straight behind a number: 12cm, 45km/h."""

from __future__ import annotations

CURRENCY = "[€£¥₹₩₽]"
"""All but the dollar, which plain writing leaves out."""

_SHORT = "[mcdk]m|kg|hrs?|mins?|secs?|ft|yd|lbs?|oz|mph|kmh|kph"
_WORDS = (
    "hours?|minutes?|seconds?|days?|weeks?|months?|years?|(?:centi|kilo)?met(?:er|re)s?|(?:kilo)?grams?|lit(?:er|re)s?"
    "|degrees?|dollars?|euros?|cents?|pounds?|inch(?:es)?|feet|foot|miles?|units?"
)
_IN_THIS_CASE = "mL|kWh?|[kM]?Hz|[kMG]B|[mgL](?=/)"
_BELOW = r"/(?:[cdk]?m|kg|mL|hr|min|sec|[gLhs])(?:\^\d)?"
GLUED_UNIT = rf"(?:(?i:{_SHORT}|{_WORDS})|{_IN_THIS_CASE})(?:\^\d)?(?:{_BELOW})?"
"""Without units whose letters are more likely variables: 12m, 2mg."""

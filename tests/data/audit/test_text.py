from __future__ import annotations

import pytest

from selfhint.data.audit.text import TEXT_CHECKS, scripts_of

SEEN = [
    ("replacement_character", "Caf\ufffd costs"),
    ("mojibake", "café 5 €".encode().decode("cp1252")),
    ("mojibake", "naïve".encode().decode("latin-1")),
    ("mojibake", "It’s".encode().decode("cp1252")),
    ("mojibake", "x \U0001d465".encode().decode("latin-1")),
    ("broken_latex", "\frac{1}{2}"),
    ("broken_latex", "an \x08eta, \theta, \rho, \x07lpha, a \neq b"),
    ("control_characters", "450 \u200bminutes"),
    ("control_characters", "a\x00b"),
    ("control_characters", "\ufeffA"),
    ("control_characters", "\x80\x94 even though"),
    ("other_script", "Сколько будет два плюс два?"),
    ("other_script", "求 x 的值"),
]
PLAIN = [
    "What is 2 + 3?\n\tTabs and\r\nlines.",
    "Find α + β ≤ π, Å, µ, 𝑥² and ℝ – “so” it’s €5, naïve café, Ã and 20 °C",
    r"\frac{1}{2} \beta \theta \rho \alpha \neq",
    "The word мир means peace, and nothing else in this long sentence is Russian.",
    "",
]


@pytest.mark.parametrize(("name", "text"), SEEN)
def test_seen(name, text):
    assert TEXT_CHECKS[name](text)


@pytest.mark.parametrize("name", TEXT_CHECKS)
@pytest.mark.parametrize("text", PLAIN)
def test_not_seen(name, text):
    assert TEXT_CHECKS[name](text) is None


def test_the_place_is_shown_and_can_be_printed():
    assert TEXT_CHECKS["replacement_character"](f"{'a' * 50} x\ufffdy") == ascii(f"{'a' * 18} x\ufffdy")


def test_half_a_surrogate_pair_is_no_obstacle():
    assert TEXT_CHECKS["control_characters"]("\ud800 \x00")


def test_scripts():
    assert scripts_of("два x α 𝑥 二") == {"CYRILLIC": 3, "CJK": 1}

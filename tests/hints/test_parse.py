from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.hints.parse import after_thinking, parse_levels
from selfhint.hints.reasons import REASONS, Refused

LEVELS = (1, 2, 3)
FOLDER = Path(__file__).parent / "cases"
CASES = [
    c for name in ("json_answers", "json_refused") for c in json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
]
SHARED = Path(__file__).parents[3] / "shared/cases/hint_json.jsonl"


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_answer(case: dict[str, Any]) -> None:
    wanted: dict[int, str | Refused] = {int(k): v for k, v in case.get("levels", {}).items()}
    wanted |= {int(k): Refused(v) for k, v in case.get("refused", {}).items()}
    assert parse_levels(case["raw"], LEVELS) == wanted


@pytest.mark.skipif(not SHARED.exists(), reason="local data folder is absent")
def test_local_cases() -> None:
    wrong = []
    for line in SHARED.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        parsed = parse_levels(case["raw"], LEVELS)
        texts = {f"level_{level}": text for level, text in parsed.items() if isinstance(text, str) and text}
        if (texts or None) not in case["accept"]:
            wrong.append(case["id"])
    assert not wrong


def test_thinking_is_cut() -> None:
    assert after_thinking("<think>a</think> b <think>c</think>d") == "d"
    assert after_thinking("no thoughts") == "no thoughts"
    assert after_thinking("<think>a</think><think>b") is None


_SAFE = st.text(st.characters(exclude_characters="\\", exclude_categories=["Cc", "Cs"])).map(str.strip)


@settings(deadline=None)
@given(st.tuples(_SAFE, _SAFE, _SAFE), st.booleans(), _SAFE.filter(lambda s: "level_" not in s and "<" not in s))
def test_well_formed_json_is_read_as_json(texts: tuple[str, str, str], ascii_only: bool, around: str) -> None:
    texts = tuple(text.replace("level_", "").replace("think>", "") for text in texts)
    answer = json.dumps({f"level_{i}": text for i, text in enumerate(texts, 1)}, ensure_ascii=ascii_only)
    assert parse_levels(f"{around}\n{answer}\n", LEVELS) == dict(enumerate(texts, 1))


_PIECES = st.sampled_from(
    [
        "{",
        "}",
        "[",
        '"',
        "'",
        "level_2",
        "'level_3':",
        ":",
        ",",
        "//",
        "/*",
        "#",
        "```",
        "then",
        " ",
        "\n",
        "u",
        "\\nu",
        "\\\\",
    ]
)


@settings(deadline=None)
@given(st.permutations(LEVELS), st.lists(st.lists(_PIECES).map("".join), min_size=3, max_size=3))
def test_nothing_inside_a_well_formed_text_is_read_as_structure(order: list[int], parts: list[str]) -> None:
    texts = {level: f"a {part} \\alpha" for level, part in zip(order, parts, strict=True)}
    assert parse_levels(json.dumps({f"level_{level}": text for level, text in texts.items()}), LEVELS) == texts


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(['"level_1"', '"level_2"', ":", "{", "}", '"', "\\", "\\n", "“", "x", " ", "[", "<think>"])
    )
)
def test_any_text_gives_a_string_or_a_known_reason_for_each_level(parts: list[str]) -> None:
    parsed = parse_levels("".join(parts), LEVELS)
    assert set(parsed) == set(LEVELS)
    assert all(isinstance(v, str) or v.reason in REASONS for v in parsed.values())

"""Which settings of hints go together on verl; the same for a recipe is tried through the command."""

from __future__ import annotations

import pytest

from selfhint.config import TeacherSettings, VerlSettings, split_overrides
from selfhint.core.errors import InputError


def settings(*overrides):
    return split_overrides([f"selfhint.{override}" for override in overrides])[0]


@pytest.mark.parametrize(
    ("overrides", "says"),
    [
        (("hints.source=offline",), "selfhint hints write"),
        (("hints.source=given",), "columns.hints"),
        (("hints.source=given", "hints.file=a.jsonl", "columns.hints=tips"), "columns.hints"),
        (("hints.source=teacher", "teacher.model=m"), "teacher.api_key_env"),
        (("hints.source=teacher", "teacher={model: m, base_url: 'https://api.openai.com/v1'}"), "teacher.api_key_env"),
        (("teacher.base_url=http://localhost:80a/v1",), "teacher.base_url.*http://localhost:8000/v1"),
        (("teacher.base_url=http://localhost:80000/v1",), "teacher.base_url.*http://localhost:8000/v1"),
        (('teacher.base_url="http://local\\nhost/v1"',), "teacher.base_url.*http://localhost:8000/v1"),
        (("hints.refresh_steps=2", "hints.refresh_epochs=2"), "both set"),
        (("hints.source=prefix", "hints.refresh_steps=2"), "hints.refresh_steps is for hints.source self or teacher"),
        (("hinted_updates=off-policy",), "not for verl"),
        (("hinted_updates=corrected", "method=grpo"), "no group is hinted"),
    ],
)
def test_refused_in_one_line(overrides, says):
    with pytest.raises(InputError, match=says) as caught:
        settings(*overrides)
    assert "\n" not in str(caught.value)


def test_every_process_reads_the_same_back():
    given = settings("hints.source=teacher", "teacher={model: m, api_key_env: SOME_KEY}", "hints.refresh_epochs=2")
    assert VerlSettings.model_validate(given.model_dump()) == given
    assert given.teacher.api_key_env == "SOME_KEY"


@pytest.mark.parametrize(
    ("url", "is_openai"),
    [
        (None, True),
        ("https://api.openai.com/v1", True),
        ("https://API.OpenAI.com:443/v1/", True),
        ("https://eu.api.openai.com/v1", True),
        ("https://notapi.openai.com.example/v1", False),
        ("https://xapi.openai.com/v1", False),
        ("http://localhost/api.openai.com/v1", False),
        ("http://[::1]:8000/v1", False),
    ],
)
def test_openai_is_known_by_its_host(url, is_openai):
    assert TeacherSettings(base_url=url).is_openai == is_openai


def test_settings_of_hints_are_no_matter_without_hints():
    assert settings("method=grpo", "hints.source=teacher", "hints.refresh_steps=2").hint_source == "none"


@pytest.mark.parametrize(
    ("overrides", "notice"),
    [
        (("method=sage", "hints.source=self"), None),
        (("method=grpo",), None),
        (("method=grpo", "hints.format=text", "hints.source=none"), None),
        (("method=grpo", "hints.source=self"), "method=grpo draws no hints, so hints.source and"),
        (
            ("scheduler.name=none", "hints.source=teacher", "teacher.model=m", "hints.file=f"),
            "scheduler.name=none draws no hints, so hints.source, hints.file, teacher.model and",
        ),
    ],
)
def test_hints_that_are_named_and_never_drawn_are_noticed(overrides, notice):
    told = settings(*overrides).notice
    assert told is None if notice is None else told.startswith(notice)

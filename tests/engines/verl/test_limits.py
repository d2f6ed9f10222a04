"""Limits that verl's configuration sets for requests to models; needs no verl."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from selfhint.config import split_overrides
from selfhint.core.errors import InputError
from selfhint.engines.verl.checks import check_config, request_limit


class Group(SimpleNamespace):
    def get(self, name):
        return getattr(self, name, None)


def config(max_model_len=2048, num_workers=2):
    agent = Group(num_workers=num_workers)
    return Group(
        trainer=Group(use_v1=True, v1=Group(trainer_mode="sync")),
        actor_rollout_ref=Group(rollout=Group(max_model_len=max_model_len, n=4, agent=agent)),
        algorithm=Group(adv_estimator="grpo"),
        reward=Group(reward_model=Group(enable=False)),
        data=Group(train_batch_size=4, max_prompt_length=1024),
    )


def settings(*overrides):
    return split_overrides([f"selfhint.{override}" for override in overrides])[0]


TEACHER = ("hints.source=teacher", "teacher.model=m", "teacher.base_url=http://localhost:1/v1")


def test_a_request_may_fill_the_context_beside_its_answer():
    assert request_limit(config(2048), settings("hints.max_tokens=1000")) == 1048
    assert request_limit(config(None), settings("hints.max_tokens=1000")) == 1024
    check_config(config(2048), settings("hints.max_tokens=2047"))
    with pytest.raises(InputError, match=r"hints\.max_tokens=2048.*max_model_len=2048"):
        check_config(config(2048), settings("hints.max_tokens=2048"))


def test_a_teachers_answer_has_nothing_to_do_with_it():
    check_config(config(2048), settings(*TEACHER, "hints.max_tokens=4096"))


@pytest.mark.parametrize("name", ["concurrency", "max_requests", "max_tokens_total"])
def test_each_worker_needs_its_part_of_a_teachers_limits(name):
    check_config(config(num_workers=2), settings(*TEACHER, f"teacher.{name}=2"))
    with pytest.raises(InputError, match=rf"selfhint\.teacher\.{name}=1: 2 agent-loop workers"):
        check_config(config(num_workers=2), settings(*TEACHER, f"teacher.{name}=1"))

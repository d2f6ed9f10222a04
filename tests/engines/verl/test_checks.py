"""verl's real configuration, composed as its entry point does, is looked through before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from selfhint.config import split_overrides
from selfhint.engines.verl.checks import check_config
from support.installed import needs_verl
from support.refusals import refused

pytestmark = needs_verl

NEEDED = ["actor_rollout_ref.rollout.n=4", "algorithm.adv_estimator=grpo"]


@pytest.fixture(scope="module")
def compose():
    import hydra

    import verl

    with hydra.initialize_config_dir(str(Path(verl.__file__).parent / "trainer" / "config"), version_base=None):
        yield lambda *words: hydra.compose("ppo_trainer", [*NEEDED, *words])


def check(compose, *words):
    settings, others = split_overrides(words)
    check_config(compose(*others), settings)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["selfhint.method=grpo"],
        ["actor_rollout_ref.rollout.n=2"],
        ["algorithm.adv_estimator=rloo"],
        ["algorithm.filter_groups.enable=False"],
        ["actor_rollout_ref.rollout.agent.default_agent_loop=tool_agent"],
        ["+actor_rollout_ref.rollout.agent.agent_loop_manager_class=null"],
        ["reward.reward_model.enable=True", "reward.reward_model.enable_resource_pool=True"],
        ["actor_rollout_ref.rollout.max_model_len=1536", "data.max_prompt_length=512"],
        ["actor_rollout_ref.rollout.max_model_len=600", "selfhint.hints.source=prefix"],
        ["actor_rollout_ref.rollout.max_model_len=600", "selfhint.method=grpo"],
    ],
    ids=lambda words: " ".join(words) or "defaults",
)
def test_accepted(compose, words):
    check(compose, *words)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["trainer.use_v1=False"], ["trainer.use_v1=False", "leave it at True"]),
        *(
            ([f"trainer.v1.trainer_mode={mode}"], [f"trainer.v1.trainer_mode={mode}", "only sync is supported"])
            for mode in ("colocate_async", "separate_async")
        ),
        (
            ["+actor_rollout_ref.rollout.agent.agent_loop_manager_class=my.Manager"],
            ["agent_loop_manager_class=my.Manager", "leave it out"],
        ),
        (["algorithm.filter_groups.enable=True"], ["algorithm.filter_groups.enable=True", "set it to False"]),
        (["algorithm.adv_estimator=remax"], ["algorithm.adv_estimator=remax", "use grpo"]),
        (["actor_rollout_ref.rollout.n=1"], ["actor_rollout_ref.rollout.n=1", "2 completions or more"]),
        (["actor_rollout_ref.rollout.n=0"], ["actor_rollout_ref.rollout.n=0", "2 completions or more"]),
        (["actor_rollout_ref.rollout.n=four"], ["actor_rollout_ref.rollout.n=four", "2 completions or more"]),
        (["actor_rollout_ref.rollout.n=null"], ["actor_rollout_ref.rollout.n=None"]),
        (["reward.reward_model.enable=True"], ["reward.reward_model.enable_resource_pool=True", "reward function"]),
        (["data.train_batch_size=null"], ["data.train_batch_size is missing"]),
        (["actor_rollout_ref.rollout.name=sglang", "selfhint.seed=1"], ["selfhint.seed", "SGLang"]),
        (
            ["actor_rollout_ref.rollout.max_model_len=1024"],
            ["selfhint.hints.max_tokens=1024", "max_model_len=1024", "lower"],
        ),
    ],
    ids=lambda value: " ".join(value),
)
def test_refused_with_the_mend(compose, words, says):
    refused(lambda: check(compose, *words), *says)


def test_settings_in_the_users_own_configuration_file_are_not_passed_over(compose):
    from omegaconf import open_dict

    config = compose()
    with open_dict(config):
        config.selfhint = {"method": "gate"}
    settings, _ = split_overrides([])
    refused(lambda: check_config(config, settings), "selfhint: a group of the configuration file", "command line")

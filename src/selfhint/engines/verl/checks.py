"""What of verl's configuration does not go together with hints, refused before anything is started."""

from __future__ import annotations

from typing import Any

from selfhint.config import VerlSettings
from selfhint.core.errors import InputError


def check_config(config: Any, settings: VerlSettings) -> None:
    """Looks through verl's configuration.

    Args:
        config: verl's, as Hydra composed it (an OmegaConf DictConfig).

    Raises:
        InputError: something in it is not supported.
    """
    trainer, rollout = config.trainer, config.actor_rollout_ref.rollout
    if not trainer.use_v1:
        raise InputError("trainer.use_v1=False: hints need verl's V1 trainer; leave it at True")
    if trainer.v1.trainer_mode != "sync":
        raise InputError(
            f"trainer.v1.trainer_mode={trainer.v1.trainer_mode}: only sync is supported; in the asynchronous modes a "
            "group could be drawn under a level that was decided several updates before"
        )
    if rollout.agent.get("agent_loop_manager_class"):
        raise InputError(
            f"actor_rollout_ref.rollout.agent.agent_loop_manager_class={rollout.agent.agent_loop_manager_class}: hints "
            "need their own manager; leave it out (agent loops of your own stay supported)"
        )
    if config.algorithm.get("filter_groups") is not None and config.algorithm.filter_groups.enable:
        raise InputError(
            "algorithm.filter_groups.enable=True: dropped groups would be missing from the problems' records; set it "
            "to False, or run verl itself"
        )
    if config.algorithm.adv_estimator == "remax":
        raise InputError("algorithm.adv_estimator=remax: it has no groups to rescue; use grpo")
    if not isinstance(rollout.n, int) or rollout.n < 2:
        raise InputError(
            f"actor_rollout_ref.rollout.n={rollout.n}: a group needs 2 completions or more, one alone has no "
            "advantages to learn from"
        )
    reward_model = config.reward.reward_model
    if reward_model.enable and not reward_model.enable_resource_pool:
        raise InputError(
            "reward.reward_model.enable=True: a reward model that shares the trainer's GPUs scores too late for hints; "
            "set reward.reward_model.enable_resource_pool=True, or use a reward function"
        )
    if config.data.get("train_batch_size") is None:
        raise InputError("data.train_batch_size is missing; set how many problems a step takes")
    hint_request = config.data.max_prompt_length + settings.hints.max_tokens
    if settings.hint_source == "self" and rollout.max_model_len is not None and hint_request > rollout.max_model_len:
        raise InputError(
            f"data.max_prompt_length={config.data.max_prompt_length} and selfhint.hints.max_tokens="
            f"{settings.hints.max_tokens} are over actor_rollout_ref.rollout.max_model_len={rollout.max_model_len}; "
            "lower one of them"
        )

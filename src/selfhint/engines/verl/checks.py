"""What of verl's configuration does not go together with hints, refused before anything is started."""

from __future__ import annotations

from typing import Any

from selfhint.config import TeacherSettings, VerlSettings
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
    if config.get("selfhint") is not None:
        raise InputError(
            "selfhint: a group of the configuration file is not read; give its values as selfhint.key=value on the "
            "command line"
        )
    if settings.seed is not None and rollout.name == "sglang":
        raise InputError("selfhint.seed: SGLang takes no seed for each request; remove it, or use vLLM")
    if config.data.get("train_batch_size") is None:
        raise InputError("data.train_batch_size is missing; set how many problems a step takes")
    if settings.hint_source == "self" and request_limit(config, settings) <= 0:
        raise InputError(
            f"selfhint.hints.max_tokens={settings.hints.max_tokens} leaves no room for a request in "
            f"actor_rollout_ref.rollout.max_model_len={rollout.max_model_len}; lower it"
        )
    if settings.hint_source == "teacher":
        _check_shares(rollout.agent.num_workers, settings.teacher)


def request_limit(config: Any, settings: VerlSettings) -> int:
    """Longest request for hints, in tokens: what the rollout servers' context leaves beside the answer.

    Without `max_model_len` that context is not known here; then it is that of prompts.
    """
    length = config.actor_rollout_ref.rollout.max_model_len
    return int(config.data.max_prompt_length if length is None else length - settings.hints.max_tokens)


def _check_shares(num_workers: int, teacher: TeacherSettings) -> None:
    """Each agent-loop worker asks the teacher by itself and gets its part of the limits."""
    for name in ("concurrency", "max_requests", "max_tokens_total"):
        limit = getattr(teacher, name)
        if limit is not None and limit < num_workers:
            raise InputError(
                f"selfhint.teacher.{name}={limit}: {num_workers} agent-loop workers share it; raise it to "
                f"{num_workers} or more, or lower actor_rollout_ref.rollout.agent.num_workers"
            )

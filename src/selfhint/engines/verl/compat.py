"""The verl internals this engine stands on, checked before Ray is started instead of failing in the middle of a run."""

from __future__ import annotations

import inspect
from importlib.metadata import version
from typing import Any

from selfhint.core.errors import InputError

SUPPORTED_MINOR = "0.9"

WORKER_PARAMETERS: dict[str, tuple[str, ...]] = {
    "_run_prompt": ("self", "prompt", "sampling_params", "trajectory", "trace"),
    "_run_agent_loop": ("self", "sampling_params", "trajectory", "agent_name", "trace", "kwargs"),
    "_agent_loop_postprocess": ("self", "output", "validate", "kwargs"),
    "_compute_score": ("self", "outputs", "kwargs"),
    "generate_sequences": ("self", "batch"),
}
TRAINER_PARAMETERS: dict[str, tuple[str, ...]] = {
    "_init_dataloader": ("self",),
    "_submit_batch_to_rollout": ("self", "batch"),
    "_step_once": ("self", "metrics", "timing_raw", "sample_batch_size"),
    "_balance_batch": ("self", "batch", "metrics", "logging_prefix", "keep_minibatch"),
    "_compute_advantage": ("self", "batch", "metrics"),
    "_save_checkpoint": ("self",),
    "_load_checkpoint": ("self",),
    "on_step_begin": ("self",),
    "on_validate_begin": ("self",),
    "on_validate_end": ("self",),
}
MANAGER_PARAMETERS: dict[str, tuple[str, ...]] = {"generate_sequences": ("self", "prompts")}
RUNNER_PARAMETERS: dict[str, tuple[str, ...]] = {"run": ("self", "config")}
RAYS_OWN = "_ray_trace_ctx"
"""A parameter that Ray adds to the methods of actors."""


def plain_class(actor_class: Any) -> Any:
    """The class under `@ray.remote`."""
    return actor_class.__ray_metadata__.modified_class


def check_verl(installed: str | None = None) -> None:
    """Compares the installed verl with the one this engine was written for.

    Raises:
        InputError: another minor version, or a method with other parameters.
    """
    found = installed or version("verl")
    mend = f"pip install 'verl~={SUPPORTED_MINOR}.1'"
    if ".".join(found.split(".")[:2]) != SUPPORTED_MINOR:
        raise InputError(f"verl {found} is installed, selfhint needs {SUPPORTED_MINOR}: {mend}")
    from verl.trainer.main_ppo import TaskRunnerV1
    from verl.trainer.ppo.v1.agent_loop_tq import AgentLoopManagerTQ, AgentLoopWorkerTQ
    from verl.trainer.ppo.v1.trainer_sync import PPOTrainerSync

    owners = (
        (plain_class(AgentLoopWorkerTQ), WORKER_PARAMETERS),
        (AgentLoopManagerTQ, MANAGER_PARAMETERS),
        (PPOTrainerSync, TRAINER_PARAMETERS),
        (plain_class(TaskRunnerV1), RUNNER_PARAMETERS),
    )
    for owner, methods in owners:
        for name, expected in methods.items():
            method = getattr(owner, name, None)
            parameters = tuple(p for p in inspect.signature(method).parameters if p != RAYS_OWN) if method else ()
            if parameters != expected:
                raise InputError(
                    f"verl {found}: {owner.__name__}.{name} takes {parameters}, selfhint was written for {expected}: "
                    f"{mend}"
                )

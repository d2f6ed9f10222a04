"""verl's overrides for a CPU. What a test gives stands above them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_FULL_PRECISION = {
    "actor_rollout_ref.actor.fsdp_config.model_dtype": "fp32",
    "+actor_rollout_ref.actor.fsdp_config.mixed_precision.param_dtype": "fp32",
    "+actor_rollout_ref.actor.fsdp_config.mixed_precision.reduce_dtype": "fp32",
    "+actor_rollout_ref.actor.fsdp_config.mixed_precision.buffer_dtype": "fp32",
    "actor_rollout_ref.rollout.dtype": "float32",
}

_NO_ACCELERATOR = {
    "trainer.device": "cpu",
    "actor_rollout_ref.actor.strategy": "fsdp2",
    "actor_rollout_ref.actor.use_torch_compile": "False",
    "actor_rollout_ref.actor.fsdp_config.use_torch_compile": "False",
    "actor_rollout_ref.model.use_remove_padding": "False",
    "actor_rollout_ref.model.enable_gradient_checkpointing": "False",
    "+actor_rollout_ref.model.override_config.attn_implementation": "sdpa",
    "actor_rollout_ref.rollout.name": "hf_cpu",
}

_FEW_PROCESSES = {
    "actor_rollout_ref.rollout.agent.num_workers": "1",
    "reward.num_workers": "1",
    "transfer_queue.backend.SimpleStorage.num_data_storage_units": "1",
    "data.dataloader_num_workers": "0",
}

_SMALL_STEP = {
    "algorithm.adv_estimator": "grpo",
    "data.seed": "1",
    "data.train_batch_size": "4",
    "actor_rollout_ref.rollout.n": "4",
    "actor_rollout_ref.actor.ppo_mini_batch_size": "4",
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": "8",
    "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu": "8",
    "actor_rollout_ref.actor.optim.lr": "1e-3",
    "actor_rollout_ref.rollout.calculate_log_probs": "True",
    "trainer.total_epochs": "100",
    "trainer.val_before_train": "False",
    "trainer.test_freq": "-1",
    "trainer.save_freq": "-1",
}


STOCK = "verl.trainer.main_ppo"
"""verl's own entry point."""


def for_module(module: str) -> dict[str, str]:
    """What the entry point does not see to itself."""
    return {"actor_rollout_ref.model.external_lib": "verl_support.without_trl"} if module == STOCK else {}


def for_cpu(folder: Path, ray_folder: Path, ranks: int, replicas: int) -> dict[str, str]:
    """Overrides of a run under `folder` with as many training ranks and rollout replicas."""
    return {
        **_FULL_PRECISION,
        **_NO_ACCELERATOR,
        **_FEW_PROCESSES,
        **_SMALL_STEP,
        "trainer.n_gpus_per_node": str(ranks),
        "actor_rollout_ref.rollout.tensor_model_parallel_size": str(ranks // replicas),
        "trainer.logger": "[file]",
        "trainer.default_local_dir": str(folder / "checkpoints"),
        "trainer.v1.sampler.custom_sampler.path": str(Path(__file__).with_name("replay.py")),
        "trainer.v1.sampler.custom_sampler.name": "EagerReplayBuffer",
        "hydra.run.dir": str(folder / "hydra"),
        "hydra.output_subdir": "null",
        "+ray_kwargs.ray_init.address": "local",
        "+ray_kwargs.ray_init._temp_dir": str(ray_folder),
        "ray_kwargs.ray_init.num_cpus": "32",
        "+ray_kwargs.ray_init.num_gpus": str(ranks),
        "+ray_kwargs.ray_init.object_store_memory": str(128 * 2**20),
        "+ray_kwargs.ray_init.include_dashboard": "False",
    }


def merge(base: dict[str, str], given: Sequence[str]) -> list[str]:
    """`key=value` words; a given key replaces the same key of the base, whatever `+` stands before either."""
    names = {word.partition("=")[0].lstrip("+~") for word in given}
    kept = [f"{key}={value}" for key, value in base.items() if key.lstrip("+") not in names]
    return [*kept, *given]

#!/usr/bin/env bash
# The paper's setting (arXiv 2602.03143) for Qwen2.5-7B-Instruct on verl 0.9, one node with 8 GPUs. Not run by us on this
# hardware. More nodes: trainer.nnodes=N on a Ray cluster. Data: parquet files with verl's columns; extra_info holds
# `problem` and `solution` (worked text): selfhint data prepare FILE data --format verl --validation 0.02
# max_model_len is a prompt and a completion; a request for hints may fill it beside its answer.
set -euo pipefail

python3 -m selfhint.engines.verl \
    selfhint.method=sage \
    selfhint.hints.format=json \
    selfhint.hints.max_tokens=1024 \
    selfhint.columns.problem=problem \
    selfhint.columns.solution=solution \
    data.train_files=data/train.parquet \
    data.val_files=data/validation.parquet \
    data.train_batch_size=128 \
    data.max_prompt_length=2048 \
    data.filter_overlong_prompts=True \
    data.max_response_length=8192 \
    algorithm.adv_estimator=grpo \
    algorithm.use_kl_in_reward=False \
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct \
    actor_rollout_ref.actor.optim.lr=1e-6 \
    actor_rollout_ref.actor.ppo_mini_batch_size=64 \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=20480 \
    actor_rollout_ref.actor.use_kl_loss=False \
    actor_rollout_ref.actor.clip_ratio_low=0.2 \
    actor_rollout_ref.actor.clip_ratio_high=0.28 \
    actor_rollout_ref.actor.loss_agg_mode=token-mean \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.n=8 \
    actor_rollout_ref.rollout.max_model_len=10240 \
    actor_rollout_ref.rollout.temperature=1.0 \
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6 \
    actor_rollout_ref.rollout.calculate_log_probs=True \
    reward.custom_reward_function.path=pkg://selfhint.verify.verl \
    reward.custom_reward_function.name=compute_score \
    trainer.n_gpus_per_node=8 \
    trainer.nnodes=1 \
    trainer.total_training_steps=500 \
    trainer.total_epochs=1000 \
    trainer.save_freq=50 \
    trainer.test_freq=50 \
    trainer.default_local_dir=runs/qwen2.5-7b-verl \
    "$@"

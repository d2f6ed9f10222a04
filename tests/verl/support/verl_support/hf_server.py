"""A rollout server over a transformers model: the surface that verl's LLM client and weight sync use, on a CPU.

One Ray actor for each replica. Without a seed in the sampling parameters a request's seed follows from the weights'
step, the prompt and how often the prompt was asked at that step. The replicas share that count, so that two of them
never answer alike and a run that is repeated draws the same completions.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import ray
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
from verl.workers.rollout.base import BaseRollout
from verl.workers.rollout.replica import RolloutReplica, TokenOutput

from verl_support.options import ServerOptions
from verl_support.sampling import Drawn, Row, draw

MAX_BATCH = 64
"""Requests answered together."""
GATHER_SECONDS = 0.01
"""How long the first request of a batch waits for others."""

NEUTRAL = {"top_p": (1, None), "top_k": (-1, 0, None), "repetition_penalty": (1, None)}
"""Sampling parameters that this server does not offer, with the values that switch them off."""


def server_name(replica_rank: int) -> str:
    """Ray's name of a replica's actor."""
    return f"hf_cpu_server_{replica_rank}"


@ray.remote(num_cpus=0)
class PromptCounts:
    """How often each prompt was asked since the weights last changed, over all replicas."""

    def __init__(self) -> None:
        self._step: int | None = None
        self._asked: Counter[tuple[int, ...]] = Counter()

    def next(self, step: int | None, prompt_ids: tuple[int, ...]) -> int:
        """0 for the first request of a prompt at `step`, then 1, …"""
        if step != self._step:
            self._step, self._asked = step, Counter()
        self._asked[prompt_ids] += 1
        return self._asked[prompt_ids] - 1


class HFServer:
    """Answers token-in, token-out requests; many at a time, batched as they come."""

    def __init__(self, path: str, replica_rank: int, response_length: int) -> None:
        torch.set_num_threads(1)
        self._model = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float64).eval()
        self._tokenizer = AutoTokenizer.from_pretrained(path)
        eos = self._model.generation_config.eos_token_id
        self._eos_ids = frozenset([eos] if isinstance(eos, int) else eos or [self._tokenizer.eos_token_id])
        self._replica_rank = replica_rank
        self._response_length = response_length
        self._options = ServerOptions.from_env()
        self._script = self._options.load_script()
        self._counts = PromptCounts.options(
            name="hf_cpu_prompt_counts", get_if_exists=True, lifetime="detached"
        ).remote()
        self._step: int | None = None
        self._num_updates = 0
        self._waiting: list[tuple[Row, asyncio.Future[Drawn]]] = []
        self._answering: asyncio.Task[None] | None = None

    async def ready(self) -> bool:
        """Answers once the model is loaded."""
        return True

    async def generate(
        self, prompt_ids: Sequence[int], sampling_params: Mapping[str, Any], request_id: str, **unused: Any
    ) -> TokenOutput:
        """One completion: its tokens, with their log-probabilities under the temperature.

        Raises:
            NotImplementedError: sampling parameters that this server does not offer.
        """
        for name, neutral in NEUTRAL.items():
            if sampling_params.get(name) not in neutral:
                raise NotImplementedError(f"the CPU rollout server has no {name}; leave it at {neutral[0]}")
        await asyncio.sleep(self._options.delay)
        step, prompt = self._step, tuple(map(int, prompt_ids))
        seed = sampling_params.get("seed")
        row = self._row(prompt, sampling_params, await self._derive_seed(prompt) if seed is None else int(seed))
        drawn = await self._answer(row)
        self._log(row, drawn, step, is_seeded=seed is not None)
        return TokenOutput(
            token_ids=drawn.token_ids,
            log_probs=drawn.log_probs,
            stop_reason="completed",
            extra_fields={"global_steps": step},
        )

    async def load_weights(self, weights: Mapping[str, torch.Tensor], step: int | None) -> None:
        """Takes the trainer's weights of `step`.

        Raises:
            RuntimeError: the names are not this model's.
        """
        self._step = step
        self._num_updates += 1
        if self._options.freeze and self._num_updates > 1:
            return
        missing, unexpected = self._model.load_state_dict(weights, strict=False)
        untied = set(missing) - set(self._model.all_tied_weights_keys)
        if untied or unexpected:
            raise RuntimeError(f"weights do not fit the rollout model: missing {untied}, unexpected {unexpected}")
        self._model.tie_weights()

    async def wake_up(self, tags: list[str] | None = None) -> None:
        """Nothing sleeps here, nor in the calls below."""

    async def sleep(self) -> None: ...

    async def clear_kv_cache(self) -> None: ...

    async def release_kv_cache(self) -> None: ...

    async def resume_kv_cache(self) -> None: ...

    async def abort_all_requests(self, reject_request: bool = False) -> None: ...

    async def resume_generation(self) -> None: ...

    async def start_profile(self, **kwargs: Any) -> None: ...

    async def stop_profile(self) -> None: ...

    async def _derive_seed(self, prompt_ids: tuple[int, ...]) -> int:
        step = self._step
        nth = await self._counts.next.remote(step, prompt_ids)
        return int.from_bytes(hashlib.sha256(repr((step, prompt_ids, nth)).encode()).digest()[:7])

    def _row(self, prompt_ids: tuple[int, ...], sampling_params: Mapping[str, Any], seed: int) -> Row:
        max_tokens = sampling_params.get("max_tokens") or sampling_params.get("max_new_tokens") or self._response_length
        forced = None
        if self._script:
            text = self._script(self._tokenizer.decode(prompt_ids), {**sampling_params, "seed": seed})
            ids = self._tokenizer(text, add_special_tokens=False)["input_ids"]
            forced = (*ids, self._tokenizer.eos_token_id)
        return Row(
            prompt_ids=prompt_ids,
            seed=seed,
            temperature=float(sampling_params.get("temperature", 1.0)),
            max_tokens=int(max_tokens),
            forced=forced,
        )

    async def _answer(self, row: Row) -> Drawn:
        future: asyncio.Future[Drawn] = asyncio.get_running_loop().create_future()
        self._waiting.append((row, future))
        if self._answering is None or self._answering.done():
            self._answering = asyncio.create_task(self._answer_all())
        return await future

    async def _answer_all(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        while self._waiting:
            batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
            try:
                drawn = await asyncio.to_thread(self._draw, [row for row, _ in batch])
            except Exception as error:  # handed to the requests that wait for it
                for _, future in batch:
                    future.set_exception(error)
                continue
            for (_, future), completion in zip(batch, drawn, strict=True):
                future.set_result(completion)

    def _draw(self, rows: list[Row]) -> list[Drawn]:
        pad_id = self._tokenizer.pad_token_id
        return draw(
            self._model, rows, pad_id=self._tokenizer.eos_token_id if pad_id is None else pad_id, eos_ids=self._eos_ids
        )

    def _log(self, row: Row, drawn: Drawn, step: int | None, *, is_seeded: bool) -> None:
        if not self._options.requests:
            return
        line = {
            "prompt": self._tokenizer.decode(row.prompt_ids),
            "completion": self._tokenizer.decode(drawn.token_ids),
            "num_tokens": len(drawn.token_ids),
            "seed": row.seed,
            "seeded": is_seeded,
            "temperature": row.temperature,
            "step": step,
            "replica": self._replica_rank,
            "pid": os.getpid(),
        }
        append_line(self._options.requests, line)


def append_line(path: Path, line: Mapping[str, Any]) -> None:
    """Adds one line in one write, so that several processes may share the file."""
    with path.open("ab", buffering=0) as file:
        file.write(json.dumps(line).encode() + b"\n")


class HFReplica(RolloutReplica):
    """Starts a replica's actor. Tensor parallelism only sets how many training ranks share the replica."""

    async def launch_servers(self) -> None:
        """One actor, whatever the number of ranks."""
        path = self.model_config.get("local_path", None) or self.model_config.path
        actor = ray.remote(HFServer).options(
            name=server_name(self.replica_rank), num_cpus=0, max_concurrency=self.max_concurrency
        )
        handle = actor.remote(path, self.replica_rank, self.config.response_length)
        await handle.ready.remote()
        self.servers = [handle]
        self._server_handle = handle
        self._server_address = server_name(self.replica_rank)


class HFServerAdapter(BaseRollout):
    """Lives in a training rank; the first rank of each replica hands the weights over."""

    def __init__(self, config: Any, model_config: Any, device_mesh: Any, replica_rank: int = -1) -> None:
        super().__init__(config, model_config, device_mesh)
        replica, place = divmod(int(os.environ["RANK"]), self.config.tensor_model_parallel_size)
        self._replica_rank = replica
        self._is_leader = place == 0

    async def resume(self, tags: list[str]) -> None:
        """Nothing was released."""

    async def release(self) -> None:
        """Nothing to release."""

    async def update_weights(
        self, weights: Iterator[tuple[str, torch.Tensor]], wire_format: str = "named_tensors", **kwargs: Any
    ) -> None:
        """Every rank walks through the weights, because gathering a tensor takes all of them."""
        full = {name: tensor.detach().cpu().float().clone() for name, tensor in weights}
        if self._is_leader:
            server = ray.get_actor(server_name(self._replica_rank))
            await server.load_weights.remote(ray.put(full), kwargs.get("global_steps"))

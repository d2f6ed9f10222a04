"""verl's agent-loop worker with one episode for each training problem. No problem waits for another."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import ray
import transfer_queue as tq
from omegaconf import OmegaConf
from verl.trainer.ppo.v1.agent_loop_tq import AgentLoopWorkerTQ

from selfhint.config import VerlSettings
from selfhint.core.episode import run_visit
from selfhint.core.errors import SelfHintError
from selfhint.core.group import Completion, Visit
from selfhint.core.ledger import stored_hints_of
from selfhint.core.plan import Plan
from selfhint.core.ports import AsyncEngine, VisitContext
from selfhint.core.prompt import Prompt
from selfhint.engines.build import make_hints, make_teacher
from selfhint.engines.drive import drive_async
from selfhint.engines.teacher import Teacher, TeacherAsyncRouter
from selfhint.engines.unreadable import unreadable_prompt
from selfhint.engines.verl.batch import completions_of
from selfhint.engines.verl.checks import request_limit
from selfhint.engines.verl.compat import plain_class
from selfhint.engines.verl.engine import VerlEngine, all_settled
from selfhint.engines.verl.report import ASSIGNMENT, Assignment, Failure, attach, first_line
from selfhint.engines.verl.rows import messages_of, problem_of
from selfhint.hints.prompts import HINT_BLOCK, insert_hint

logger = logging.getLogger(__name__)

_UNPUBLISHED: ContextVar[bool] = ContextVar("unpublished", default=False)
"""Set in the tasks that draw for an episode: their agent loops' outputs go back to it instead of to the trainer."""


class HintedAgentLoopWorker(plain_class(AgentLoopWorkerTQ)):  # type: ignore[misc]
    """Runs the visits of its share of a batch and publishes of each only the group that enters the update."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.settings = VerlSettings.model_validate(OmegaConf.to_container(self.config.selfhint))
        self._hints = make_hints(self.settings)
        self._hinted = functools.partial(insert_hint, block=self.settings.hints.block or HINT_BLOCK)
        run_dir = Path(self.config.trainer.default_local_dir)
        self._teacher: Teacher | None = None
        self._teacher_fault: SelfHintError | None = None
        try:
            self._teacher = make_teacher(self.settings, run_dir, num_shares=self.rollout_config.agent.num_workers)
        except SelfHintError as error:  # an actor that cannot be made is only known to have died
            self._teacher_fault = error
        self._tool_schemas = [
            tool.tool_schema.model_dump(exclude_unset=True, exclude_none=True) for tool in self.tools
        ] or None
        self._running: dict[str, asyncio.Future[Failure | None]] = {}

    async def run_visits(self, batch: Any) -> list[Failure]:
        """Runs a share of a batch to its end: the prompts' groups are published one by one as they are done.

        Returns:
            What the visits that failed failed of.
        """
        loop = asyncio.get_running_loop()
        waiting = {uid: loop.create_future() for uid in batch["uid"]}
        self._running |= waiting
        await self.generate_sequences(batch)
        ends = await asyncio.gather(*waiting.values())
        return [failure for failure in ends if failure is not None]

    async def _run_prompt(
        self, prompt: dict[str, Any], sampling_params: dict[str, Any], trajectory: dict[str, Any], trace: bool = False
    ) -> None:
        if trajectory["validate"]:
            await super()._run_prompt(prompt, sampling_params, trajectory, trace)
            return
        uid = prompt["uid"]
        failure: Failure | None = None
        try:
            await _mark(uid, "running")
            await self._run_visit(prompt, sampling_params, trajectory)
        except SelfHintError as error:
            failure = error
        except Exception as error:
            logger.exception("the visit of prompt %s failed", uid)
            failure = first_line(error)
        try:
            if failure:
                await _take_back(uid)
            await _mark(uid, "failure" if failure else "finished")
        except Exception as error:
            failure = failure or first_line(error)
            raise
        finally:  # whoever waits for the visit must hear of its end
            self._running.pop(uid).set_result(failure)

    async def _run_visit(
        self, prompt: dict[str, Any], sampling_params: dict[str, Any], trajectory: dict[str, Any]
    ) -> None:
        if self._teacher_fault is not None:
            raise self._teacher_fault
        row = dict(prompt)
        assignment: Assignment = row.pop(ASSIGNMENT)
        group_size = row.pop("__rollout_n__", self.rollout_config.n)
        problem = problem_of(row, row["raw_prompt"], self.settings.columns)
        plan = Plan(tuple(assignment["levels"]), assignment["why"])
        if assignment["hints"] is not None:
            problem = replace(problem, hints=assignment["hints"])
        context = VisitContext(
            step=trajectory["step"],
            visit=assignment["visit"],
            hinted=self._hinted,
            fits=self._fits,
            stored=stored_hints_of(assignment["stored"]),
            epoch=assignment["epoch"],
            fits_request=self._fits_request,
        )
        episode = run_visit(problem, plan, self._hints, group_size, context)
        engine: AsyncEngine = VerlEngine(self, row, sampling_params, trajectory)
        if self._teacher is not None:
            engine = TeacherAsyncRouter(engine, self._teacher)
        visit = await drive_async(episode, engine)
        await self._publish(visit, row)

    def _fits(self, prompt: Prompt) -> bool:
        limit: int = self.rollout_config.prompt_length
        return len(self._tokens_of(prompt, self._tool_schemas)) <= limit

    def _fits_request(self, prompt: Prompt) -> bool:
        return len(self._tokens_of(prompt)) <= request_limit(self.config, self.settings)

    def _tokens_of(self, prompt: Prompt, tools: list[dict[str, Any]] | None = None) -> list[int]:
        messages = [dict(message) for message in messages_of(prompt)]
        arguments = OmegaConf.to_container(self.config.data.get("apply_chat_template_kwargs") or OmegaConf.create())
        try:
            tokens: list[int] = self.tokenizer.apply_chat_template(
                messages, tools=tools, add_generation_prompt=True, tokenize=True, return_dict=False, **arguments
            )
        except Exception as error:  # tokenizers and templates raise whatever they like
            raise unreadable_prompt(prompt, error, key="selfhint.hints.source") from error
        return tokens

    # What the engine asks for ----------------------------------------------------------------------------------------

    async def draw_unpublished(
        self, sampling_params: dict[str, Any], trajectory: dict[str, Any], row: dict[str, Any], session: int
    ) -> list[Any]:
        """One run of the row's agent loop. Call it in a task of its own.

        Returns:
            Its outputs (`AgentLoopOutput`), neither scored nor published; usually one.
        """
        _UNPUBLISHED.set(True)
        outputs: list[Any] = await self._run_agent_loop(
            sampling_params, trajectory=trajectory, trace=False, session_id=session, **row
        )
        return outputs

    async def _agent_loop_postprocess(self, output: Any, validate: bool, **kwargs: Any) -> Any:
        if not _UNPUBLISHED.get():
            return await super()._agent_loop_postprocess(output, validate, **kwargs)
        outputs = output if isinstance(output, list) else [output]
        if not outputs:
            raise RuntimeError(f"agent loop {kwargs.get('agent_name')} returned nothing")
        return outputs

    async def ask(self, prompt: Prompt, sampling_params: dict[str, Any]) -> Completion:
        """One completion of a prompt, from the same servers and weights as the groups."""
        output = await self.llm_client.generate(
            request_id=uuid4().hex, prompt_ids=self._tokens_of(prompt), sampling_params=sampling_params
        )
        text = self.tokenizer.decode(output.token_ids, skip_special_tokens=True)
        return Completion(text=text, num_tokens=len(output.token_ids))

    async def score(self, outputs: list[Any], row: Mapping[str, Any]) -> None:
        """Puts verl's reward into the last output."""
        await self._compute_score(outputs, kwargs=dict(row))

    # Handing over ----------------------------------------------------------------------------------------------------

    async def _publish(self, visit: Visit, row: dict[str, Any]) -> None:
        """Puts the kept group where the trainer takes it, the visit's account with its first completion."""
        hinted = {**row, "raw_prompt": visit.kept.prompt}
        attach(visit, visit.kept.completions[0].raw[-1].extra_fields)
        await all_settled(
            [
                super(HintedAgentLoopWorker, self)._agent_loop_postprocess(c.raw, False, session_id=i, **hinted)
                for i, c in enumerate(visit.kept.completions)
            ]
        )


async def _mark(uid: str, status: str) -> None:
    await tq.async_kv_put(key=uid, partition_id="train", tag={"status": status})


async def _take_back(uid: str) -> None:
    """Removes what a failed visit had published: the trainer would take a part of a group for the whole."""
    items = (await tq.async_kv_list("train")).get("train", {})
    if keys := completions_of({uid}, items):
        await tq.async_kv_clear(keys=keys, partition_id="train")


HintedAgentLoopActor = ray.remote(max_restarts=-1)(HintedAgentLoopWorker)

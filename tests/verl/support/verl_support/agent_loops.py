"""Agent loops as users write them; verl finds them through a file that names their classes."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput

TOOL = "\nchecked\n"


def words(folder: Path, name: str) -> list[str]:
    """The overrides that make the class `name` the agent loop of a run."""
    path = folder / "agent_loops.yaml"
    path.write_text(f"- name: mine\n  _target_: {__name__}.{name}\n")
    return [
        f"actor_rollout_ref.rollout.agent.agent_loop_config_path={path}",
        "actor_rollout_ref.rollout.agent.default_agent_loop=mine",
    ]


class TwoTurns(AgentLoopBase):
    """Answers, hears from a tool, and answers again. The tool's tokens are not the policy's."""

    def messages(self, row: dict[str, Any]) -> list[dict[str, str]]:
        """What the first turn asks."""
        return list(row["raw_prompt"])

    async def run(self, sampling_params: dict[str, Any], **kwargs: Any) -> AgentLoopOutput:
        """Two turns."""
        prompt_ids = await self.ct_build_initial_tokens(self.messages(kwargs))
        tool_ids = self.tokenizer(TOOL)["input_ids"]
        response_ids: list[int] = []
        mask: list[int] = []
        logprobs: list[float] = []
        for _ in range(2):
            output = await self.server_manager.generate(
                request_id=uuid4().hex, prompt_ids=[*prompt_ids, *response_ids], sampling_params=sampling_params
            )
            response_ids += output.token_ids
            mask += [1] * len(output.token_ids)
            logprobs += output.log_probs
            if len(mask) == len(output.token_ids):
                response_ids += tool_ids
                mask += [0] * len(tool_ids)
                logprobs += [0.0] * len(tool_ids)
        return AgentLoopOutput(
            prompt_ids=prompt_ids,
            response_ids=response_ids,
            response_mask=mask,
            response_logprobs=logprobs,
            num_turns=4,
            metrics={},
            extra_fields={**output.extra_fields, "turn_scores": [], "tool_rewards": []},
        )


class OwnPrompt(TwoTurns):
    """Asks what it likes, whatever the row's prompt says."""

    def messages(self, row: dict[str, Any]) -> list[dict[str, str]]:
        """A prompt of its own making."""
        return [{"role": "user", "content": "Which word? " + row["extra_info"]["problem"][:9]}]

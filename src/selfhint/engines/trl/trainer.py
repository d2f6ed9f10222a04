"""GRPOTrainer with hints: GRPOTrainer's signature plus a scheduler and a hint source."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from accelerate.utils import broadcast_object_list, gather_object

from selfhint.core.episode import Episode, run_visit
from selfhint.core.errors import InputError
from selfhint.core.group import Completion, Group, Verdict, Visit
from selfhint.core.ledger import Ledger
from selfhint.core.levels import NO_HINT
from selfhint.core.ports import HintedUpdates, HintSource, Scheduler, VisitContext
from selfhint.core.prompt import Prompt
from selfhint.engines.drive import drive_lockstep
from selfhint.engines.recorder import StepRecorder
from selfhint.engines.teacher import Answers, Teacher, TeacherBatchRouter
from selfhint.engines.trl import checks
from selfhint.engines.trl.arguments import process_index
from selfhint.engines.trl.callbacks import CloseLogs
from selfhint.engines.trl.compat import check_trl
from selfhint.engines.trl.conditioning import log_probs_as_drawn
from selfhint.engines.trl.engine import Effort, Job, Scores, Tokens, TrlEngine
from selfhint.engines.trl.generation import generate, tokenize
from selfhint.engines.trl.resumable import ResumableTrainer
from selfhint.engines.trl.rows import Row, RowColumns
from selfhint.engines.unreadable import unreadable_prompt
from selfhint.hints import GivenHints, NoHintSource, SelfHints, TeacherHints
from selfhint.hints.prompts import HINT_BLOCK, insert_hint
from selfhint.runlog import HINT_WEIGHT, Listener, RunLog, step_metrics
from selfhint.schedulers import HintWeight, NoHints

check_trl()

HINT_MAX_TOKENS = 1024


class SelfHintTrainer(ResumableTrainer):
    """GRPO that draws a problem again with a hint where every completion fails.

    Takes everything `trl.GRPOTrainer` takes. Without `scheduler` it computes exactly what GRPOTrainer computes.

    Args:
        scheduler: which hint level a visit draws; None never hints.
        hints: where hints come from; None with a scheduler: the policy writes them itself.
        hint_weight: weighs the advantages of hinted groups; None leaves them as they are.
        columns: names of the data columns, `{"problem": …, "solution": …, "answer": …}`, and `"hints"` where hints come
            with the data.
        correct: name of the reward function (or the function itself) that says whether a completion is correct; needed
            where there are several, those of a completion's form (`format_reward`, `length_reward`) left aside.
        correct_at_least: a completion is correct when that reward is at least this.
        hinted_updates: how completions drawn with a hint enter the update; see `core.ports.HintedUpdates`.
        hint_block: text appended to the last user message; `{hint}` stands for the hint.
        hint_max_tokens: limit of sampled tokens of a hint request.
        max_prompt_tokens: budget of any prompt, hinted prompts included; None: what the model's context leaves beside
            the longest completion and hint. A hint request may be longer where that context leaves room for a hint.
        teacher: answers the requests of TeacherHints; only looked at on the main process.
        run_dir: where groups.jsonl, hints.jsonl and metrics.jsonl go; None: `args.output_dir`.
        listener: called with each metrics line on the main process.

    Raises:
        InputError: the data set lacks a needed column, "correct" is ambiguous, or a feature is not supported.
    """

    def __init__(
        self,
        *args: Any,
        scheduler: Scheduler | None = None,
        hints: HintSource | None = None,
        hint_weight: HintWeight | None = None,
        columns: Mapping[str, str] | None = None,
        correct: str | Callable[..., Any] | None = None,
        correct_at_least: float = 1.0,
        hinted_updates: HintedUpdates = "on-policy",
        hint_block: str = HINT_BLOCK,
        hint_max_tokens: int = HINT_MAX_TOKENS,
        max_prompt_tokens: int | None = None,
        teacher: Teacher | None = None,
        run_dir: str | Path | None = None,
        listener: Listener | None = None,
        **kwargs: Any,
    ) -> None:
        self.scheduler: Scheduler = NoHints() if scheduler is None else scheduler
        uses_hints = self._hints_are_used = not isinstance(self.scheduler, NoHints)
        default_hints = SelfHints() if uses_hints else NoHintSource()
        self.hints: HintSource = default_hints if hints is None else hints
        if not uses_hints and not isinstance(self.hints, NoHintSource):
            raise InputError("hints are given without a scheduler that uses them: pass scheduler=Ladder(), or no hints")
        self.columns = RowColumns.of(columns)
        if isinstance(self.hints, GivenHints) and self.columns.hints is None:
            raise InputError("the hints come with the data: name their column with columns={'hints': ...}")
        if isinstance(self.hints, TeacherHints) and teacher is None and process_index() == 0:
            raise InputError("TeacherHints need a teacher to ask: pass teacher=Teacher(...)")
        self.hint_weight = hint_weight
        self.hinted_updates = hinted_updates
        self.hinted = functools.partial(insert_hint, block=hint_block)
        self.hinted("", "")
        # Before the parent, which loads models and may start vLLM.
        needs_solution = uses_hints and not isinstance(self.hints, GivenHints)
        checks.check_given(args, kwargs, self.columns, uses_hints, needs_solution)
        checks.check_hinted_updates(args, kwargs, hinted_updates, uses_hints)
        self._plan: list[Visit] | None = None
        super().__init__(*args, **kwargs)
        checks.check_tokenizer(self.processing_class)
        self._correct_index = checks.find_correct(correct, self.reward_funcs, self.reward_func_names)
        # TRL's rewards are float32: the threshold 0.7 must not lie above the reward 0.7.
        self._correct_at_least = torch.tensor(correct_at_least, dtype=torch.float32).item()
        self._hint_max_tokens = hint_max_tokens
        context = self._context()
        longest = max(self.max_completion_length, hint_max_tokens if uses_hints else 0)
        self._max_prompt_tokens = max_prompt_tokens or context - longest
        if self._max_prompt_tokens <= 0:
            raise InputError(
                "the model's context leaves no room for a prompt beside max_completion_length="
                f"{self.max_completion_length} and hint_max_tokens={hint_max_tokens}: lower them"
            )
        self._max_request_tokens = self._max_prompt_tokens
        if context < math.inf:
            self._max_request_tokens = max(self._max_prompt_tokens, context - hint_max_tokens)
        self._teacher = teacher if self.accelerator.is_main_process else None  # the others get its answers
        self.ledger = Ledger()
        self.generation_step = 0
        self.run_log = RunLog(Path(run_dir or self.args.output_dir), listener)
        self.recorder = StepRecorder(self.run_log, self.accelerator.is_main_process)
        self.add_callback(CloseLogs(self.recorder))

    def _context(self) -> float:
        """Tokens that the model, and vLLM where it generates, can hold."""
        limits = [getattr(self.model.config.get_text_config(), "max_position_embeddings", None)]
        if self.use_vllm:
            limits.append(self.args.vllm_max_model_length)
        return min((float(limit) for limit in limits if limit is not None), default=math.inf)

    # One generation step ---------------------------------------------------------------------------------------------

    def _generate_and_score_completions(self, inputs: list[Row]) -> dict[str, Any]:
        if not self.model.training:
            return super()._generate_and_score_completions(inputs)  # type: ignore[no-any-return]
        self.recorder.begin_step()
        self.generation_step += 1
        rows = gather_object(inputs)
        visits, effort = self._run_visits(rows[:: self.num_generations])
        self._plan = visits
        try:
            output = super()._generate_and_score_completions(self._rows_to_train(inputs, visits))
            if self.hinted_updates == "corrected":
                drawn_from = [tokens.prompt_ids for tokens in self._tokens_here(visits, len(inputs))]
                output["old_per_token_logps"] = log_probs_as_drawn(self, drawn_from, output)
        finally:
            self._plan = None
        self.ledger.add_step(visits)
        self._record(visits, effort, self._weigh_hinted(output, visits))
        return output  # type: ignore[no-any-return]

    def _run_visits(self, leads: Sequence[Row]) -> tuple[list[Visit], Effort]:
        """Runs one visit for each group of the global batch. `leads`: the first row of each group."""
        problems = [self.columns.problem_of(row) for row in leads]
        numbers = self.ledger.visit_numbers(problem.key for problem in problems)
        identities = [(problem.key, number) for problem, number in zip(problems, numbers, strict=True)]
        rows = dict(zip(identities, leads, strict=True))
        plans = self.scheduler.plans(self.ledger, identities)
        episodes: list[Episode] = []
        for problem, number, plan in zip(problems, numbers, plans, strict=True):
            context = VisitContext(
                step=self.generation_step,
                visit=number,
                hinted=self.hinted,
                fits=self.fits,
                stored=self.ledger.record(problem.key).hints,
                epoch=self.epoch_number,
                fits_request=self.fits_request,
            )
            episodes.append(run_visit(problem, plan, self.hints, self.num_generations, context))
        engine = TrlEngine(self, rows, super()._calculate_rewards)
        router = TeacherBatchRouter(engine, self._teacher, self._from_main)
        visits = drive_lockstep(episodes, router)
        engine.effort.hint += router.seconds
        return visits, engine.effort

    def _from_main(self, answers: Answers | None) -> Answers:
        shared = [answers]
        if self.accelerator.num_processes > 1:
            broadcast_object_list(shared)
        assert shared[0] is not None
        return shared[0]

    def fits(self, prompt: Prompt) -> bool:
        """Whether a prompt keeps to the token budget of prompts."""
        return self._num_tokens(prompt) <= self._max_prompt_tokens

    def fits_request(self, prompt: Prompt) -> bool:
        """The same for a request for hints."""
        return self._num_tokens(prompt) <= self._max_request_tokens

    def _num_tokens(self, prompt: Prompt) -> int:
        try:
            return len(self._tokenize_prompts([prompt])[0][0])
        except Exception as error:  # tokenizers and templates raise whatever they like
            raise unreadable_prompt(prompt, error) from error

    def draw(self, jobs: Sequence[Job], aligned: bool) -> list[Completion]:
        """Samples one completion for each job on this rank.

        Args:
            jobs: this rank's share; all of one purpose, their requests of one size.
            aligned: the shares of all ranks together hold whole groups and no padding.
        """
        solving = jobs[0].request.purpose == "solve"
        return generate(
            self,
            [job.request.prompt for job in jobs],
            num_generations=jobs[0].request.num if solving and aligned else 1,
            max_tokens=self.max_completion_length if solving else self._hint_max_tokens,
        )

    def verdict_of(self, scores: Scores) -> Verdict:
        """A verdict from the one reward that defines "correct"."""
        value = scores.rewards[self._correct_index]
        if math.isnan(value):
            return Verdict(correct=None, reward=None, reason="no reward", raw=scores)
        return Verdict(correct=value >= self._correct_at_least, reward=value, raw=scores)

    # Handing the kept groups to the parent ---------------------------------------------------------------------------

    def _kept_here(self, visits: Sequence[Visit], num_rows: int) -> list[tuple[Visit, int]]:
        """(visit, index in its kept group) for each row of this rank."""
        all_rows = [(visit, i) for visit in visits for i in range(visit.kept.size)]
        first = self.accelerator.process_index * num_rows
        return all_rows[first : first + num_rows]

    def _tokens_here(self, visits: Sequence[Visit], num_rows: int) -> list[Tokens]:
        return [visit.kept.completions[i].raw for visit, i in self._kept_here(visits, num_rows)]

    def _update_prompt(self, visit: Visit) -> Prompt:
        """What the update's log-probabilities condition on."""
        return visit.kept.prompt if self.hinted_updates == "on-policy" else visit.problem.prompt

    def _rows_to_train(self, inputs: Sequence[Row], visits: Sequence[Visit]) -> list[Row]:
        kept = self._kept_here(visits, len(inputs))
        logged = [visit.kept.verdicts[i].raw.logged for visit, i in kept]
        for name in sorted({name for extra in logged for name in extra}):
            self._log_completion_extra(name, [extra.get(name) for extra in logged])
        if self._hints_are_used:
            self._log_completion_extra("hint_level", [visit.kept.level for visit, _ in kept])
            self._log_completion_extra("hint", [visit.kept.hint.text if visit.kept.hint else "" for visit, _ in kept])
        return [{**row, "prompt": self._update_prompt(visit)} for row, (visit, _) in zip(inputs, kept, strict=True)]

    def _generate(self, prompts: list[Prompt]) -> Any:
        if self._plan is None:
            return super()._generate(prompts)
        tokens = self._tokens_here(self._plan, len(prompts))
        on_policy = self.hinted_updates == "on-policy"
        # The sampler's log-probabilities condition on the hint: of no use to an update that does not.
        logprobs = [t.logprobs if on_policy else None for t in tokens]
        rollout = {
            "prompt_ids": [t.prompt_ids for t in tokens] if on_policy else tokenize(self, prompts)[0],
            "completion_ids": [t.completion_ids for t in tokens],
            "logprobs": None if any(values is None for values in logprobs) else logprobs,
        }
        # The parent's own path for finished completions: it decodes, counts and logs them as if it had drawn them.
        self.rollout_func: Callable[..., Any] | None = lambda prompts, trainer: rollout
        try:
            return super()._generate(prompts)
        finally:
            self.rollout_func = None

    def _calculate_rewards(self, inputs: Any, prompts: Any, completions: Any, completion_ids_list: Any) -> torch.Tensor:
        if self._plan is None:
            rewards: torch.Tensor = super()._calculate_rewards(inputs, prompts, completions, completion_ids_list)
            return rewards
        return torch.tensor(
            [rewards for visit in self._plan for rewards in self._rewards_of(visit.kept)],
            dtype=torch.float32,
            device=self.accelerator.device,
        )

    def _rewards_of(self, kept: Group) -> list[list[float]]:
        """Rewards as TRL takes them, a value per function. Where hints are used, a completion of which it is not known
        whether it is correct teaches nothing, whatever its form: TRL gives rows without any reward the advantage 0.
        """
        return [
            [math.nan] * len(verdict.raw.rewards)
            if verdict.correct is None and self._hints_are_used
            else verdict.raw.rewards
            for verdict in kept.verdicts
        ]

    def _weigh_hinted(self, output: dict[str, Any], visits: Sequence[Visit]) -> dict[str, float]:
        """Scales the advantages of hinted groups, after the parent has made them. Returns the weight as a metric."""
        if self.hint_weight is None:
            return {}
        weight = self.hint_weight.after(visits)
        advantages = output["advantages"]
        kept = self._kept_here(visits, len(advantages))
        scales = [weight if visit.kept.level > NO_HINT else 1.0 for visit, _ in kept]
        output["advantages"] = advantages * torch.tensor(scales, dtype=advantages.dtype, device=advantages.device)
        return {HINT_WEIGHT: weight}

    def _compute_loss(self, model: Any, inputs: Any) -> Any:
        loss = super()._compute_loss(model, inputs)
        if self.model.training:
            self.recorder.average("entropy", self._metrics["train"]["entropy"][-1])
        return loss

    # What is recorded ------------------------------------------------------------------------------------------------

    def _record(self, visits: Sequence[Visit], effort: Effort, more: dict[str, float]) -> None:
        metrics = {**step_metrics(visits, self.ledger), **more}
        for name, value in metrics.items():
            if value is not None:
                self._metrics["train"][f"selfhint/{name}"].append(value)
        head = {"step": self.generation_step, "epoch": self.epoch_number, "update": self.state.global_step}
        self.recorder.record(head, metrics, visits, effort.as_metrics())

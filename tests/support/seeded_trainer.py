"""A TRL trainer whose completions are right by their seeds, as on the other engines."""

from __future__ import annotations

from selfhint.config import split_overrides
from selfhint.engines.build import make_hints, make_scheduler
from selfhint.engines.seeds import completion_seed
from selfhint.engines.trl import SelfHintTrainer
from support import riddle_set, riddles
from support.riddle_visits import SEED, words


class SeededTrainer(SelfHintTrainer):
    """Answers each job by its seed instead of by the policy."""

    def draw(self, jobs, aligned):
        self.jobs = list(jobs)
        return super().draw(jobs, aligned)

    def _generate_single_turn(self, prompt_ids, images, multimodal_fields, num_generations, has_tool_images=False):
        completions = []
        for prompt, job in zip(self._tokenizer.batch_decode(prompt_ids), self.jobs, strict=True):
            text = riddle_set.seeded(prompt, completion_seed(SEED, job.request, job.index))
            completions.append([*self._tokenizer(text)["input_ids"], self._tokenizer.eos_token_id])
        return completions, None


def trained(folder, method: str, steps: int) -> list[dict]:
    """The lines of groups.jsonl."""
    settings, _ = split_overrides(words(method))
    trainer = riddles.trainer(
        folder,
        SeededTrainer,
        args={"max_steps": steps},
        scheduler=make_scheduler(settings, seed=SEED, steps=steps),
        hints=make_hints(settings),
        hint_max_tokens=64,
    )
    trainer.train()
    return riddles.lines(folder)

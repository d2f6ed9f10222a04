"""One training run of the tiny policy in a process of its own, which can be killed at a named moment.

python train_script.py OUT '{"steps": 6, ...}'      also under torchrun
Writes OUT/result-RANK.json when it ends.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import torch
from transformers import TrainerCallback

from selfhint.config import TeacherSettings
from selfhint.data import read_hints_file, with_hints
from selfhint.engines.teacher import Teacher
from selfhint.engines.trl import SelfHintTrainer
from selfhint.engines.trl import checkpoint as ckpt
from selfhint.engines.trl.offline import write_offline_hints
from selfhint.engines.trl.rows import RowColumns
from selfhint.hints import GivenHints, Refresh, SelfHints, TeacherHints
from selfhint.lab.format import LabFormat
from selfhint.lab.task import HINT_BLOCK
from selfhint.schedulers import SCHEDULERS, HintWeight
from support import tiny
from support.scripted import ScriptedTrainer

torch.set_num_threads(1)


def die():
    os.kill(os.getpid(), signal.SIGKILL)


class Moments(TrainerCallback):
    """Kills the process after an optimizer step and keeps the first gradient."""

    def __init__(self, kill_after_update):
        self.kill_after_update = kill_after_update
        self.gradient = None

    def on_pre_optimizer_step(self, args, state, control, model=None, **kwargs):
        if self.gradient is None:
            grads = [p.grad.flatten() for p in model.parameters() if p.grad is not None]
            self.gradient = torch.cat(grads).tolist()

    def on_step_end(self, args, state, control, **kwargs):
        if state.global_step == self.kill_after_update:
            die()


def kill_in_checkpoint(step, moment):
    """Dies inside the writing of a checkpoint: before our state, or just before the marker."""
    name = {"state": "write_state", "marker": "mark_complete"}[moment]
    usual = getattr(ckpt, name)

    def dying(folder, *args):
        if folder.name == f"checkpoint-{step}":
            die()
        usual(folder, *args)

    setattr(ckpt, name, dying)


def hints_of(spec):
    if spec.get("given") or spec.get("offline"):
        return GivenHints()
    if spec.get("teacher"):
        return TeacherHints(LabFormat())
    return SelfHints(LabFormat(), refresh=Refresh(**spec["refresh"]) if spec.get("refresh") else None)


def given(problem, num):
    """`num` texts a level: some digits of the answer."""
    return [[problem.answer[i : i + level] for i in range(num)] for level in (1, 2, 3)]


def data(spec):
    """The data set, with a column of hints where the source shows given ones."""
    dataset = tiny.dataset(spec.get("problems", 12))
    if not (spec.get("given") or spec.get("offline")):
        return dataset
    problems = [RowColumns().problem_of(row) for row in dataset]
    return dataset.add_column("hints", [given(problem, spec.get("given", 0)) for problem in problems])


def write_offline(trainer, out, spec):
    """Lets the trainer write hints and trains on them; dies after a batch where it shall."""
    problems = [RowColumns().problem_of(row) for row in trainer.train_dataset]

    def on_batch(report):
        if report.num_problems == spec.get("kill", {}).get("written"):
            die()

    path = out / "offline_hints.jsonl"
    write_offline_hints(trainer, problems, LabFormat(), path, per_level=2, tries=2, batch=4, on_batch=on_batch)
    joined, _ = with_hints(problems, read_hints_file(path))
    texts = [[list(problem.hints.get(level, ())) for level in (1, 2, 3)] for problem in joined]
    trainer.train_dataset = trainer.train_dataset.remove_columns("hints").add_column("hints", texts)


def teacher_of(spec, out):
    """As a script has it that knows nothing of ranks."""
    if not spec.get("teacher"):
        return None
    settings = TeacherSettings(model="m", base_url=spec["teacher"], retries=0)
    return Teacher(settings, 50, out / "teacher_cache.jsonl")


def main():
    out, spec = Path(sys.argv[1]), json.loads(sys.argv[2])
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    group_size, problems_a_step = spec.get("group_size", 4), spec.get("problems_a_step", 4)
    num_iterations, steps_per_generation = spec.get("num_iterations", 1), spec.get("steps_per_generation", 1)
    rows = group_size * problems_a_step // world // steps_per_generation
    scored = []

    def correct(completions, answer, **kwargs):
        scored.extend(c[0]["content"] for c in completions)
        return tiny.correct(completions, answer)

    if "checkpoint" in spec.get("kill", {}):
        kill_in_checkpoint(*spec["kill"]["checkpoint"])
    model, tokenizer = tiny.policy()
    moments = Moments(spec.get("kill", {}).get("update"))
    cls = ScriptedTrainer if spec.get("scripted", True) else SelfHintTrainer
    trainer = cls(
        model=model,
        reward_funcs=[correct],
        args=tiny.arguments(
            out,
            per_device_train_batch_size=rows,
            num_generations=group_size,
            num_iterations=num_iterations,
            steps_per_generation=steps_per_generation,
            max_steps=spec["updates"],
            save_strategy="steps" if spec.get("save_steps") else "no",
            save_steps=spec.get("save_steps") or 500,
            save_total_limit=spec.get("save_total_limit"),
        ),
        train_dataset=data(spec),
        processing_class=tokenizer,
        scheduler=SCHEDULERS[spec.get("scheduler", "ladder")](**spec.get("scheduler_options", {})),
        hint_weight=HintWeight(**spec["hint_weight"]) if spec.get("hint_weight") else None,
        hints=hints_of(spec),
        columns={"hints": "hints"} if spec.get("given") or spec.get("offline") else None,
        teacher=teacher_of(spec, out),
        hint_block=HINT_BLOCK,
        hint_max_tokens=6,
        callbacks=[moments],
    )
    if spec.get("offline"):
        write_offline(trainer, out, spec)
    trainer.train(resume_from_checkpoint=spec.get("resume", False))
    result = {
        "weights": tiny.weights_digest(trainer.accelerator.unwrap_model(trainer.model)),
        "ledger": trainer.ledger.state_dict(),
        "advantages": list(trainer._logs["advantages"]),
        "gradient": moments.gradient,
        "num_scored": len(scored),
        "num_drawn": len(getattr(trainer, "drawn", [])),
        "num_drawn_to_solve": sum(job.request.purpose == "solve" for job in getattr(trainer, "drawn", [])),
    }
    (out / f"result-{rank}.json").write_text(json.dumps(result))


if __name__ == "__main__":
    main()

"""Run directories with chosen outcomes, written by the run log itself."""

from __future__ import annotations

from pathlib import Path

from selfhint.core.ledger import Ledger
from selfhint.runlog import RunLog, step_metrics
from support.episodes import problems
from support.visits import group, visit

ONE_STEP = [{0: ["0010"]}]


def write_run(
    folder: Path, steps, *, held_out=None, held_out_seconds=None, padding=None, seconds=0.5, token=1, hint_tokens=0
) -> Path:
    """Writes one run directory and returns it.

    Args:
        folder: the run directory.
        steps: for each step, problem number → outcomes of the groups drawn at levels 0, 1, …: {0: ["0000", "0010"]};
            None where a level was not drawn.
        held_out: step → measured success.
        held_out_seconds: what each measurement took; None leaves the field out.
        padding: tokens of padding rows in every step; None leaves the field out.
        seconds: time of every step.
        token: tokens of one completion.
        hint_tokens: tokens sampled for the hints of one visit.
    """
    known = problems(4)
    ledger, log = Ledger(), RunLog(folder)
    log.start()
    for step, by_problem in enumerate(steps, 1):
        visits = [
            visit(
                known[i],
                *(group(level, drawn, token, known[i].key) for level, drawn in enumerate(groups) if drawn is not None),
                hint_tokens=hint_tokens,
            )
            for i, groups in by_problem.items()
        ]
        ledger.add_step(visits)
        log.write_visits(visits, step, epoch=0)
        line = {"step": step, "epoch": 0, **step_metrics(visits, ledger), "time/step": seconds}
        if padding is not None:
            line["tokens/padding"] = padding
        if held_out and step in held_out:
            line["heldout/success"] = held_out[step]
            if held_out_seconds is not None:
                line["time/heldout"] = held_out_seconds
        log.write_metrics(line)
    log.close()
    return folder

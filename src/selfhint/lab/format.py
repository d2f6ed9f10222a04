"""The lab's own way of asking for a hint: one short message for each level, answered by the digits and nothing else."""

from __future__ import annotations

from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt
from selfhint.lab.task import SEPARATOR, WRITE_HINT


class LabFormat:
    """stub"""

    def request(self, problem: Problem, level: int) -> Prompt:
        content = f"{WRITE_HINT}{problem.question}{SEPARATOR}{problem.solution}{SEPARATOR}{level}"
        return [{"role": "user", "content": content}]

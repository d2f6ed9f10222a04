"""verl's driver process with our trainer in it."""

from __future__ import annotations

from typing import Any

import ray
from verl.trainer import main_ppo
from verl.trainer.ppo.v1 import trainer_base

from selfhint.engines.verl.compat import plain_class
from selfhint.engines.verl.trainer import HintedTrainer


class _TaskRunner(plain_class(main_ppo.TaskRunnerV1)):  # type: ignore[misc]
    def run(self, config: Any) -> None:
        """Trains. The mode stays `sync`, which much of verl asks for by name; only its class is another here."""
        trainer_base.TRAINER_REGISTRY["sync"] = HintedTrainer
        try:
            super().run(config)
        finally:
            if self.trainer is not None:
                self.trainer.close()


HintedTaskRunner = ray.remote(_TaskRunner)

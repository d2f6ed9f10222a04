"""The installed verl is checked before a run begins."""

from __future__ import annotations

import pytest

from selfhint.engines.verl import compat
from support.installed import needs_verl
from support.refusals import refused

pytestmark = needs_verl


def owners():
    from verl.trainer.ppo.v1.agent_loop_tq import AgentLoopWorkerTQ
    from verl.trainer.ppo.v1.trainer_sync import PPOTrainerSync

    return {
        **dict.fromkeys(compat.WORKER_PARAMETERS, compat.plain_class(AgentLoopWorkerTQ)),
        **dict.fromkeys(compat.TRAINER_PARAMETERS, PPOTrainerSync),
    }


def test_the_installed_verl_is_the_one_this_engine_was_written_for():
    compat.check_verl()
    compat.check_verl("0.9.7")


@pytest.mark.parametrize("version", ["0.8.0", "0.10.0", "1.9.1", "0.90.1", "0.10.0.dev0"])
def test_another_minor_version_is_refused_with_the_mend(version):
    refused(
        lambda: compat.check_verl(version),
        f"verl {version} is installed, selfhint needs 0.9: pip install 'verl~=0.9.1'",
    )


@pytest.mark.parametrize("name", [*compat.WORKER_PARAMETERS, *compat.TRAINER_PARAMETERS])
def test_a_changed_or_missing_method_is_refused(monkeypatch, name):
    owner = owners()[name]
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, lambda self, something_else: None, raising=False)
        refused(
            compat.check_verl,
            f"{owner.__name__}.{name} takes ('self', 'something_else')",
            "was written for ('self'",
            "pip install 'verl~=0.9.1'",
        )
    monkeypatch.setattr(owner, name, None, raising=False)
    refused(compat.check_verl, f"{owner.__name__}.{name} takes ()")


def test_the_parameter_that_ray_adds_to_methods_of_actors_is_no_difference(monkeypatch):
    owner = owners()["_compute_score"]
    monkeypatch.setattr(owner, "_compute_score", lambda self, outputs, kwargs, _ray_trace_ctx=None: None)
    compat.check_verl()


def test_what_this_engine_overrides_and_calls_is_all_checked():
    """An override whose parent's method is not looked at would fail in the middle of a run."""
    from verl.trainer.ppo.v1.trainer_sync import PPOTrainerSync

    from selfhint.engines.verl.trainer import HintedTrainer
    from selfhint.engines.verl.worker import HintedAgentLoopWorker

    for ours, checked in (
        (HintedTrainer, compat.TRAINER_PARAMETERS),
        (HintedAgentLoopWorker, compat.WORKER_PARAMETERS),
    ):
        parent = PPOTrainerSync if ours is HintedTrainer else ours.__mro__[1]
        overridden = {n for n in vars(ours) if callable(getattr(parent, n, None)) and not n.startswith("__")}
        assert overridden <= set(checked)

"""verl's entry point with our trainer and agent-loop manager in place of its own."""

from __future__ import annotations

import importlib.util
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from selfhint.config import VerlSettings, split_overrides
from selfhint.core.errors import InputError, RunError, SelfHintError
from selfhint.engines.verl.report import first_line, original

CONFIG_NAME = "ppo_trainer"
MANAGER = "selfhint.engines.verl.manager.HintedAgentLoopManager"
EXTERNAL_LIB = "selfhint.engines.verl.beside_trl"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs verl with hints.

    Args:
        arguments: verl's overrides and options of its command line, and ours (`selfhint.key=value`); None: those of
            this process.

    Returns:
        0, or the exit code of what went wrong: 2 for something that the user gave, 3 for a run that can go on.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        settings, others = split_overrides(given)
        _require_verl()
    except SelfHintError as error:
        return _say(error)
    if settings.notice is not None:
        print(f"selfhint: {settings.notice}", file=sys.stderr, flush=True)
    return _run(settings, others)


def _require_verl() -> None:
    for module in ("verl", "transfer_queue"):
        found = importlib.util.find_spec(module)
        if found is None or found.origin is None:  # a folder of that name on the path is no package
            raise InputError(f"{module} is not installed: pip install 'selfhint[verl]'")


def _run(settings: VerlSettings, others: list[str]) -> int:
    import hydra

    import verl

    codes: list[int] = []

    def train(config: Any) -> None:
        codes.append(_reported(lambda: _train(config, settings)))

    sys.argv = [sys.argv[0], *others]
    folder = str(Path(verl.__file__).parent / "trainer" / "config")
    os.environ["HYDRA_FULL_ERROR"] = "1"  # it raises its errors instead of printing them and leaving
    try:
        hydra.main(config_path=folder, config_name=CONFIG_NAME, version_base=None)(train)()
    except Exception as error:  # what `train` raises is reported there; the rest is about the overrides
        return _say(_about_config(error))
    return max(codes, default=0)  # hydra ends without a run for --help, --cfg and the like


def _about_config(error: Exception) -> InputError:
    """Hydra's or verl's own words about verl's configuration, without the lines that say where in the code."""
    words = " ".join(line for line in str(error).splitlines() if line and not line[0].isspace())
    override = getattr(error, "override", None)  # of a word that Hydra cannot read
    if override is not None and override not in words:
        words = f"{override}: {words}"
    return InputError(
        f"verl's configuration: {words or type(error).__name__}; correct the override (--cfg job shows all)"
    )


def _train(config: Any, settings: VerlSettings) -> None:
    from hydra.errors import InstantiationException
    from omegaconf.errors import OmegaConfBaseException

    from selfhint.engines.verl.checks import check_config
    from selfhint.engines.verl.compat import check_verl

    check_verl()  # before the modules that need this verl are imported

    from verl.trainer import main_ppo
    from verl.trainer.ppo.utils import need_critic, need_reference_policy
    from verl.utils.config import validate_config

    from selfhint.engines.verl.task_runner import HintedTaskRunner

    main_ppo.auto_set_device(config)
    check_config(config, settings)
    try:
        validate_config(
            config=config, use_reference_policy=need_reference_policy(config), use_critic=need_critic(config)
        )
    except InstantiationException as error:
        raise _about_config(error.__cause__ if isinstance(error.__cause__, Exception) else error) from error
    except (AssertionError, NotImplementedError, OmegaConfBaseException, ValueError) as error:
        raise _about_config(error) from error
    _take_over(config, settings)
    main_ppo.run_ppo(config, task_runner_class=HintedTaskRunner)


def _take_over(config: Any, settings: VerlSettings) -> None:
    """Every process of the run reads our settings from verl's configuration."""
    from omegaconf import open_dict

    with open_dict(config):
        config.selfhint = settings.model_dump()
        config.actor_rollout_ref.rollout.agent.agent_loop_manager_class = MANAGER
        for model in (config.actor_rollout_ref.model, config.critic.model):
            theirs = model.get("external_lib") or []
            model.external_lib = [*([theirs] if isinstance(theirs, str) else theirs), EXTERNAL_LIB]


def _reported(run: Callable[[], None]) -> int:
    """The exit code of `run`, whose error is printed: in one line where it is ours."""
    try:
        run()
    except Exception as error:
        cause = original(error)
        if isinstance(cause, SelfHintError):
            return _say(cause)
        traceback.print_exc()
        return _say(
            RunError(
                f"the run stopped ({first_line(cause)}; see above); mend the cause and repeat the command: it goes "
                "on from the last checkpoint, if there is one and trainer.resume_mode is auto"
            )
        )
    return 0


def _say(error: SelfHintError) -> int:
    print(f"selfhint: {' '.join(str(error).split())}", file=sys.stderr, flush=True)
    return error.exit_code

"""Runs verl's entry point, or ours, as a user would: in a process of its own, with a Ray of its own, on this CPU.

files = tiny.build(folder)
done = run_verl("verl.trainer.main_ppo", folder, [*files.overrides(), "trainer.total_training_steps=2"])
assert done.returncode == 0, done.output
done.metrics[1]["critic/score/mean"]
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil

from verl_support.options import ServerOptions
from verl_support.overrides import for_cpu, for_module, merge

SUPPORT = Path(__file__).parents[1]
TESTS = Path(__file__).parents[3]
SOURCE = TESTS.parent / "src"
OUTPUT_TAIL = 20_000
"""Characters of the output that a finished run keeps."""
TIMEOUT = 1200.0
"""Seconds that a run may take; it needs about 100 on two busy cores, and many runs share a machine."""
LOOK_SECONDS = 0.2
"""Between two looks at something that is waited for."""


@dataclass(frozen=True, slots=True)
class Finished:
    """What a run left.

    Args:
        returncode: of the driver; -9 when it was killed, None when it had to be stopped after its time was up.
        output: the end of stdout and stderr.
        metrics: for each logged step verl's metrics.
        requests: a line for each request that the rollout servers answered; see `HFServer`.
        seconds: from the start to the end of the driver.
    """

    returncode: int | None
    output: str
    metrics: dict[int, dict[str, float]]
    requests: list[dict[str, Any]]
    seconds: float


class Run:
    """A run under way. Leave its `with` block, or call `finish` or `stop`, and none of its processes is left."""

    def __init__(
        self, command: Sequence[str], folder: Path, ray_folder: Path, env: Mapping[str, str], number: int
    ) -> None:
        self._output = folder / f"output-{number}.log"
        self._metrics = folder / f"metrics-{number}.jsonl"
        self._requests = Path(env["VERL_SUPPORT_REQUESTS"])
        self._ray_folder = ray_folder
        self._started = time.monotonic()
        with self._output.open("wb") as output:
            self.driver = subprocess.Popen(
                command,
                cwd=folder,
                env={**env, "VERL_FILE_LOGGER_PATH": str(self._metrics)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def output(self) -> str:
        """What the run printed so far."""
        return self._output.read_text(errors="replace")

    def metrics(self) -> dict[int, dict[str, float]]:
        """The metrics of the steps logged so far."""
        return {line["step"]: line["data"] for line in _read_lines(self._metrics)}

    def requests(self) -> list[dict[str, Any]]:
        """The requests answered so far."""
        return _read_lines(self._requests)

    def pids(self, title: str) -> list[int]:
        """The run's Ray processes whose title holds `title`, like HFServer, AgentLoop, WorkerDict or TaskRunner."""
        return [p.pid for p in self._processes() if title in _title(p)]

    def wait_for(self, happened: Callable[[Run], Any], timeout: float = TIMEOUT) -> None:
        """Returns when `happened(self)` is true.

        Raises:
            AssertionError: the driver ended first, or the time is up; the message ends with the output.
        """
        end = time.monotonic() + timeout
        while not happened(self):
            if self.driver.poll() is not None or time.monotonic() > end:
                raise AssertionError(
                    f"it did not happen (driver: {self.driver.poll()})\n{self.output()[-OUTPUT_TAIL:]}"
                )
            time.sleep(LOOK_SECONDS)

    def kill(self) -> None:
        """SIGKILL to the driver alone."""
        self.driver.kill()

    def kill_process(self, pid: int) -> None:
        """SIGKILL to one of its processes."""
        psutil.Process(pid).kill()

    def finish(self, timeout: float = TIMEOUT) -> Finished:
        """Waits for the driver's end, stops what is left and returns what the run did."""
        returncode: int | None
        try:
            returncode = self.driver.wait(timeout)
        except subprocess.TimeoutExpired:
            returncode = None
        seconds = time.monotonic() - self._started
        self.stop()
        return Finished(returncode, self.output()[-OUTPUT_TAIL:], self.metrics(), self.requests(), seconds)

    def stop(self) -> None:
        """Kills every process of the run and removes Ray's folder."""
        while left := self._processes():
            for process in left:
                process.kill()
            psutil.wait_procs(left, timeout=5)
        self.driver.wait()
        shutil.rmtree(self._ray_folder, ignore_errors=True)

    def _processes(self) -> list[psutil.Process]:
        """Every living process of the driver's session, which Ray's daemons and workers do not leave."""
        return [process for process in psutil.process_iter() if _session(process) == self.driver.pid]


def start_verl(
    module: str,
    folder: Path,
    overrides: Sequence[str],
    *,
    ranks: int = 2,
    replicas: int = 2,
    env: Mapping[str, str] | None = None,
    server: ServerOptions | None = None,
) -> Run:
    """Starts `python -m module` and returns at once.

    Args:
        module: `verl.trainer.main_ppo` for stock verl, or another entry point that takes its overrides.
        folder: where the run works and leaves `checkpoints/`, `output-N.log`, `metrics-N.jsonl` and, unless `server`
            names another file, `requests-N.jsonl`; N counts the runs that were started there.
        overrides: verl's `key=value` words; they stand above those that a CPU needs.
        ranks: training processes.
        replicas: rollout servers; a divisor of `ranks`.
        env: more environment variables; its PYTHONPATH is put in front of ours.
        server: how the rollout servers depart from plain generation.
    """
    folder.mkdir(parents=True, exist_ok=True)
    number = len(list(folder.glob("output-*.log")))
    options = server or ServerOptions()
    if options.requests is None:
        options = replace(options, requests=folder / f"requests-{number}.jsonl")
    # Ray's sockets lie deep in this folder, and the path of a socket may have 107 characters.
    ray_folder = Path(tempfile.mkdtemp(prefix="ry", dir="/tmp"))
    words = merge({**for_cpu(folder, ray_folder, ranks, replicas), **for_module(module)}, overrides)
    return Run([sys.executable, "-m", module, *words], folder, ray_folder, _environment(env or {}, options), number)


def run_verl(
    module: str,
    folder: Path,
    overrides: Sequence[str],
    *,
    ranks: int = 2,
    replicas: int = 2,
    env: Mapping[str, str] | None = None,
    server: ServerOptions | None = None,
    timeout: float = TIMEOUT,
) -> Finished:
    """Runs to the end; the arguments are those of `start_verl`."""
    with start_verl(module, folder, overrides, ranks=ranks, replicas=replicas, env=env, server=server) as run:
        return run.finish(timeout)


def _environment(given: Mapping[str, str], options: ServerOptions) -> dict[str, str]:
    path = [given.get("PYTHONPATH", ""), str(SUPPORT), str(TESTS), str(SOURCE), os.environ.get("PYTHONPATH", "")]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("RAY_", "VERL_"))}
    return {
        **inherited,
        "VERL_USE_EXTERNAL_MODULES": "verl_support.cpu_platform",
        "VERL_PLATFORM": "cpu",
        "VERL_ENGINE_DEVICE": "cuda",  # the FSDP engine is registered for cuda; it takes the platform's device
        "TORCH_COMPILE_DISABLE": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        "HYDRA_FULL_ERROR": "1",
        "TQ_NUM_THREADS": "1",
        "RAY_DEDUP_LOGS": "0",
        "RAY_USAGE_STATS_ENABLED": "0",
        "PYTHONUNBUFFERED": "1",
        **options.to_env(),
        **given,
        "PYTHONPATH": os.pathsep.join(filter(None, path)),
    }


def _read_lines(path: Path) -> list[dict[str, Any]]:
    """The whole lines of a file that may be growing, or not be there yet."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def _session(process: psutil.Process) -> int | None:
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return os.getsid(process.pid)
    except (psutil.NoSuchProcess, ProcessLookupError):
        return None


def _title(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return ""

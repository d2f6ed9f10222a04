"""Runs the training script in processes of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from selfhint.runlog import LOG_FILES, read_lines

SCRIPT = Path(__file__).with_name("train_script.py")
SOURCE = Path(__file__).parents[2] / "src"


def run(out: Path, spec: dict, ranks: int = 1) -> int:
    """Exit status of the run; -9 for one that killed itself."""
    out.mkdir(parents=True, exist_ok=True)
    command = [str(SCRIPT), str(out), json.dumps(spec)]
    done = _run([sys.executable, *command] if ranks == 1 else _torchrun(command, ranks))
    if done.returncode not in (0, -signal.SIGKILL) and "kill" not in spec:
        raise AssertionError(done.stdout[-2000:] + done.stderr[-6000:])
    return done.returncode


def torchrun(command: list[str], ranks: int) -> None:
    """Runs a script in several ranks, which must end well."""
    done = _run(_torchrun(command, ranks))
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]


def _torchrun(command: list[str], ranks: int) -> list[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return [
        *(sys.executable, "-m", "torch.distributed.run", "--nproc_per_node", str(ranks)),
        *("--master_addr", "127.0.0.1", "--master_port", str(port)),
        *command,
    ]


def _run(command: list[str]) -> subprocess.CompletedProcess:
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(SOURCE)]))
    env = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": path, "HF_HUB_OFFLINE": "1"}
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)


def result(out: Path, rank: int = 0) -> dict:
    return json.loads((out / f"result-{rank}.json").read_text())


def logs(out: Path) -> dict[str, list[dict]]:
    """All log lines without their times."""
    return {
        name: [{k: v for k, v in line.items() if not k.startswith("time/")} for line in read_lines(out / name)]
        for name in LOG_FILES
    }

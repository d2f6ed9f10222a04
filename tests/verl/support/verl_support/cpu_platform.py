"""Plugin that teaches verl 0.9.1 the CPU: VERL_USE_EXTERNAL_MODULES=verl_support.cpu_platform, VERL_PLATFORM=cpu.

verl imports it in every process. Ray sees logical GPUs, as many as there are training ranks; processes talk over gloo.
Importing it again changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import ModuleType
from typing import Any

import torch
import torch.distributed
from verl.plugin.platform.platform_base import PlatformBase
from verl.plugin.platform.platform_manager import PlatformRegistry
from verl.workers.rollout.base import _ROLLOUT_REGISTRY
from verl.workers.rollout.replica import RolloutReplica, RolloutReplicaRegistry

ROLLOUT_NAME = "hf_cpu"
"""What `actor_rollout_ref.rollout.name` is set to."""


class _CpuModule(ModuleType):
    """torch.cpu, and what verl calls on torch.cuda besides: no memory is counted, no cache is emptied."""

    def __getattr__(self, name: str) -> Any:
        return getattr(torch.cpu, name)


def _cpu_module() -> _CpuModule:
    module = _CpuModule("verl_support_cpu")

    def nothing(*args: object, **kwargs: object) -> None:
        return None

    def zero(*args: object, **kwargs: object) -> int:
        return 0

    for name in ("empty_cache", "ipc_collect", "reset_peak_memory_stats", "set_per_process_memory_fraction"):
        setattr(module, name, nothing)
    for name in ("memory_allocated", "memory_reserved", "max_memory_allocated", "max_memory_reserved"):
        setattr(module, name, zero)
    module.set_device = nothing
    module.mem_get_info = lambda device=None: (1, 1)
    module.get_device_name = lambda device=None: "cpu"
    module.get_rng_state = lambda device=None: torch.get_rng_state()
    module.set_rng_state = lambda state, device=None: torch.set_rng_state(state)
    return module


_MODULE = _cpu_module()


@PlatformRegistry.register(platform="cpu")
class CpuPlatform(PlatformBase):
    """One device called cpu."""

    device_name = "cpu"
    vendor_name = "cpu"
    device_module = _MODULE

    def is_available(self) -> bool:
        return True

    def current_device(self) -> str:
        return "cpu"  # verl passes it to Tensor.to, where an index would mean an accelerator

    def device_count(self) -> int:
        return 1

    def set_device(self, device_index: int) -> None:
        return None

    def synchronize(self, device_index: int | None = None) -> None:
        return None

    def manual_seed(self, seed: int) -> None:
        torch.manual_seed(seed)

    def manual_seed_all(self, seed: int) -> None:
        torch.manual_seed(seed)

    def set_allocator_settings(self, settings: str) -> None:
        return None

    def empty_cache(self) -> None:
        return None

    def get_device_capability(self, device_index: int = 0) -> tuple[None, None]:
        return None, None

    def communication_backend_name(self) -> str:
        return "gloo"

    def visible_devices_envvar(self) -> str:
        return "CUDA_VISIBLE_DEVICES"

    @contextmanager
    def nvtx_range(self, msg: str) -> Iterator[None]:
        yield

    def profiler_start(self) -> None:
        return None

    def profiler_stop(self) -> None:
        return None

    def ray_resource_name(self) -> str:
        return "GPU"

    def ray_noset_envvars(self) -> list[str]:
        return []

    def is_ipc_supported(self) -> bool:
        return False

    def cudart(self) -> None:
        return None


def _without_duplicate(init: Callable[..., Any]) -> Callable[..., Any]:
    """verl asks for `cpu:gloo,<device>:<backend>`; with the CPU as the device torch refuses the repeated entry."""

    @wraps(init)
    def init_process_group(backend: str | None = None, *args: Any, **kwargs: Any) -> Any:
        return init("gloo" if backend == "cpu:gloo,cpu:gloo" else backend, *args, **kwargs)

    init_process_group.accepts_cpu_twice = True
    return init_process_group


def _load_replica() -> type[RolloutReplica]:
    from verl_support.hf_server import HFReplica

    return HFReplica


if not hasattr(torch.distributed.init_process_group, "accepts_cpu_twice"):
    torch.distributed.init_process_group = _without_duplicate(torch.distributed.init_process_group)
_ROLLOUT_REGISTRY[ROLLOUT_NAME, "async"] = "verl_support.hf_server.HFServerAdapter"
RolloutReplicaRegistry.register(ROLLOUT_NAME, _load_replica)

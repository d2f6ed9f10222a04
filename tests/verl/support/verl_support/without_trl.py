"""Named by `actor_rollout_ref.model.external_lib` of stock runs: lets verl 0.9.1 load where TRL 1.16 is installed.

verl patches a class with a value head wherever it finds TRL, and TRL 1.16 has no such class any more.
"""

from __future__ import annotations

from verl.models.transformers import monkey_patch

monkey_patch.is_trl_available = lambda: False

"""Imported in every worker of a run: lets verl 0.9.1 load models where TRL 1.16 is installed.

verl changes a class with a value head wherever it finds TRL, and TRL 1.16 has no such class any more.
"""

from __future__ import annotations

from verl.models.transformers import monkey_patch

monkey_patch.is_trl_available = lambda: False

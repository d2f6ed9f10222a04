"""What the worker process knows: one module a kind, loaded when first asked. No other module imports these."""

from __future__ import annotations

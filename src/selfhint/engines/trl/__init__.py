"""SAGE on TRL: one machine, or several processes through accelerate."""

from selfhint.engines.trl.trainer import SelfHintTrainer

__all__ = ["SelfHintTrainer"]

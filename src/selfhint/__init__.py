"""Self-hint aligned GRPO (SAGE, arXiv 2602.03143) for language models on problems that are too hard for the policy.

Importing this package, or `selfhint.core`, loads the standard library only.
"""

__version__ = "0.1.0"

"""`python -m selfhint.engines.verl`: verl's trainer with hints."""

from __future__ import annotations

from selfhint.engines.verl.main import main

if __name__ == "__main__":
    raise SystemExit(main())

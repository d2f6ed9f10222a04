"""SAGE on verl and Ray: `python -m selfhint.engines.verl <verl's own overrides> selfhint.method=sage`."""

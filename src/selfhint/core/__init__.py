"""The method itself, on the standard library only: problems, groups, the gate, the ledger and one problem's visit."""

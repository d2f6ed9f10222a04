"""`python -m selfhint`, for launchers such as torchrun that start a module."""

from selfhint.cli import main

main()

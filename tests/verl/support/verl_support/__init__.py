"""What lets verl's real trainer run on a CPU: a platform, a rollout server, a tiny model and data, and a harness.

The folder above this package goes on PYTHONPATH, so that Ray's workers find it too. Importing the package itself
imports nothing; `run`, `tiny`, `options` and `reward` need neither verl nor Ray.
"""

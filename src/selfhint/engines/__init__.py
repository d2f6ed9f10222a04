"""Answers to the episode's requests: from a table, from TRL."""

"""What would harm a run, or is worth knowing, in a data set: `run.audit`. One file for each kind of check."""

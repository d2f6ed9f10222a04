"""A data set as a training should get it: `run.prepare`, and the steps it is made of."""

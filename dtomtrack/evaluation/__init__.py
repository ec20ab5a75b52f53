"""Models and baselines on the questions of a dataset, with honest statistics."""

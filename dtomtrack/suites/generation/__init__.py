"""Making data of a suite's kind: the models that take part, and what jobs and configurations have in common."""

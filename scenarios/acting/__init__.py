"""Who plays a scenario: scripted actors, and language models."""

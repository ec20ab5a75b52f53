"""A suite that dtomtrack doesn't know of: who in a house has heard a secret. Ten options, several of them right."""

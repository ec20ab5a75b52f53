"""Annotated conversations, of real people or others, as questions about before, after and when."""

"""Recommendation dialogues: packs of things that do not exist, forms of every label, and what is played with them."""

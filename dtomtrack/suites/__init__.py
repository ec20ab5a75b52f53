"""Benchmarks: what each asks, how its answers add up, and how it is made."""

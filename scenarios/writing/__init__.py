"""Scenarios written by language models."""

"""Datasets in the forms that other tools run."""

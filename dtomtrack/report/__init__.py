"""Figures, tables and one self-contained page on the dataset of any suite."""

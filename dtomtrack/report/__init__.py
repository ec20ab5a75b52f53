"""Figures, tables and one self-contained page."""

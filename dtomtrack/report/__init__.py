"""Figures, tables and one self-contained page."""

from dtomtrack.report.writing import Report, report

__all__ = ["Report", "report"]

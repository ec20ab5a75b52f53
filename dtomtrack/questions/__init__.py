"""Questions from what the tracker has on record."""

from dtomtrack.questions.builder import QuestionBuilder

__all__ = ["QuestionBuilder"]

"""Questions from what the tracker has on record."""

from dtomtrack.beliefs.questions.builder import QuestionBuilder

__all__ = ["QuestionBuilder"]

"""The version of dtomtrack, in the one place that can't disagree with the installation."""

from importlib.metadata import version

__all__ = ["VERSION"]

VERSION = version("dtomtrack")

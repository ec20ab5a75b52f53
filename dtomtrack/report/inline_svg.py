"""A figure as a part of a page: in the page's colours, and without inline style, which its policy forbids."""

from __future__ import annotations

import re
from xml.etree import ElementTree as Xml

from dtomtrack.report.drawing import GRID, INK, PAPER, Drawing

__all__ = ["inline_svg"]

_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"
_REFERENCE = re.compile(r"url\(#([^)]+)\)")


def inline_svg(drawing: Drawing) -> str:
    """The figure's SVG for inside a page."""
    root = Xml.fromstring(drawing.svg)  # noqa: S314  matplotlib wrote it a moment ago
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in {f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"}:
                parent.remove(child)
    used = _references(root)
    for element in root.iter():
        _restyle(element)
        if element.get("id") not in used:
            element.attrib.pop("id", None)
    _frame(root, drawing)
    Xml.register_namespace("", _SVG)
    Xml.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    return Xml.tostring(root, encoding="unicode")


def _frame(root: Xml.Element, drawing: Drawing) -> None:
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    inherited = {"stroke-linejoin": "round", "stroke-linecap": "butt"}
    root.attrib.update(inherited, role="img", **{"aria-label": f"{drawing.title}. {drawing.caption}"})


def _references(root: Xml.Element) -> set[str]:
    """The identifiers that anything points to."""
    found: set[str] = set()
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == _LINK:
                found.add(value.removeprefix("#"))
            found.update(_REFERENCE.findall(value))
    return found


def _restyle(element: Xml.Element) -> None:
    """Declarations become attributes; ink and grid take the page's colours, the paper goes."""
    for declaration in element.attrib.pop("style", "").split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name and name != "font-family":
            element.set(name, value)
    if element.get("fill") == PAPER and "stroke" not in element.attrib:
        element.set("fill", "none")
    for name in ("fill", "stroke"):
        colour = element.get(name)
        if colour == INK:
            element.set(name, "currentColor")
        elif colour == GRID:
            element.set(name, "currentColor")
            element.set(f"{name}-opacity", "0.2")
    if element.tag == f"{{{_SVG}}}text" and "fill" not in element.attrib:
        element.set("fill", "currentColor")

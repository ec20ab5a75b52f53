"""A figure, and the sheet that it is drawn on.

Each is drawn for a white page; its ink is one colour and its grid another, so that the page can put them in its own.
The colours are those of Okabe and Ito, told apart by colour-blind eyes; series differ in their markers, too.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dtomtrack.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "BLUE",
    "GREEN",
    "GRID",
    "INK",
    "MOST_SERIES",
    "ORANGE",
    "PAPER",
    "WHOLE_WIDTH",
    "WIDTH",
    "Drawing",
    "Saver",
    "check_matplotlib",
    "hue",
    "look",
    "sheet",
]

INK = "#26241f"
GRID = "#dad6cd"
PAPER = "#ffffff"
BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#009e73"
_PINK, _SKY, _AMBER, _SLATE, _OCHRE = "#cc79a7", "#56b4e9", "#e69f00", "#7a7f87", "#9c7c38"
_SERIES = (BLUE, ORANGE, GREEN, _PINK, _SKY, _AMBER, _SLATE, _OCHRE)
_MARKERS = "osD^vPX*"
_HUES = (GREEN, ORANGE, BLUE, _PINK, _SKY, _SLATE, _AMBER, _OCHRE)
_HATCHES = ("", "////", "....", "xxxx")
MOST_SERIES = len(_SERIES)
"""The most series that can be told apart."""
WIDTH = 5.2
WHOLE_WIDTH = 11.0
"""Widths of figures in inches: of one in a column, and of one across the page."""
_RESOLUTION = 200
_SETTINGS = {
    "font.size": 9.0,
    "font.family": "sans-serif",
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": GRID,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "hatch.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.size": 0.0,
    "ytick.major.size": 0.0,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "svg.fonttype": "none",
    "figure.facecolor": PAPER,
    "axes.facecolor": "none",
}


@dataclass(frozen=True)
class Drawing:
    """A figure: its name as a file, its title and what it shows, and its two forms.

    ``wide`` asks for the whole width of a page.
    """

    name: str
    title: str
    caption: str
    svg: str
    png: bytes
    wide: bool = False


class Saver:
    """Gives both forms of a figure once it is drawn."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.svg = ""
        self.png = b""

    def __call__(self, title: str, caption: str, *, wide: bool = False) -> Drawing:
        return Drawing(self._name, title, caption, self.svg, self.png, wide)


def check_matplotlib() -> None:
    """Make sure that figures can be drawn.

    Raises:
        InputError: matplotlib is missing.
    """
    try:
        # imported late: it takes half a second
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise InputError("figures need matplotlib; install it with: pip install 'dtomtrack[report]'") from error


@contextmanager
def sheet(name: str, height: float, width: float = WIDTH) -> Iterator[tuple[Figure, Saver]]:
    """A figure to draw in, and what gives it back once the block has ended.

    Its bytes depend on nothing but what is drawn: no date, no random identifiers.

    Args:
        name: of its files, so lower-case letters, digits and hyphens.
        height: in inches, as ``width`` is.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    saver = Saver(name)
    settings: Any = {**_SETTINGS, "svg.hashsalt": name}  # the type that its keys have differs between versions
    with rc_context(settings), warnings.catch_warnings():
        # a name of a script that the font lacks: the browser has it
        warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from")
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure, saver
        saver.svg, saver.png = _both_forms(figure)


def _both_forms(figure: Figure) -> tuple[str, bytes]:
    """A figure as SVG and as PNG, laid out once and drawn twice; `savefig` would do each of them twice as often."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from PIL import Image

    text, picture = io.StringIO(), io.BytesIO()
    vector: Any = FigureCanvasSVG(figure)  # its functions have no types
    vector.print_svg(text, metadata={"Date": None, "Creator": None})
    figure.set_layout_engine("none")
    figure.set_dpi(_RESOLUTION)
    raster: Any = FigureCanvasAgg(figure)
    raster.draw()
    # nothing shines through; levels above compress a twentieth more in nearly twice the time
    opaque = Image.frombuffer("RGBA", raster.get_width_height(), raster.buffer_rgba()).convert("RGB")
    opaque.save(picture, "png", dpi=(_RESOLUTION, _RESOLUTION), compress_level=3)
    return text.getvalue(), picture.getvalue()


def look(place: int) -> tuple[str, str]:
    """The colour and the marker of the series at a place."""
    return _SERIES[place % len(_SERIES)], _MARKERS[place % len(_MARKERS)]


def hue(place: int) -> tuple[str, str]:
    """The colour and the hatching of the part of a bar at a place; the first is for what is right."""
    return _HUES[place % len(_HUES)], _HATCHES[place // len(_HUES) % len(_HATCHES)]

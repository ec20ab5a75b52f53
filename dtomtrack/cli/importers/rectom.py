"""``dtomtrack import rectom``: RecToM's published files, or a file in IARD's format, as a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dtomtrack.cli.published_import import OutOption, VariantOption, run_published_import

__all__ = ["EXAMPLES", "SHORT_HELP", "command"]

SHORT_HELP = "The published files of RecToM, or a file in IARD's format."
EXAMPLES = """
dtomtrack import rectom RecToM --out DIR --variant balanced-judge
dtomtrack import rectom umap2020_IARD_Cai.json --out DIR
"""


def command(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="PATH",
            help="A clone of RecToM's repository, or its folder of data; or one file in IARD's format.",
        ),
    ],
    out: OutOption,
    iard: Annotated[
        Path | None,
        typer.Option(
            help="Beside a folder, IARD's umap2020_IARD_Cai.json: every label is checked against it, and a missing "
            "2_intent_seeker.json is built anew."
        ),
    ] = None,
    variant: VariantOption = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Draws the strategies that are judged, of a file in IARD's format.  [default: 0]"),
    ] = None,
) -> None:
    """Make a dataset folder of RecToM's ten files (CGCL-codes/RecToM); those that are missing are named.

    Variants: as-published; no-look-ahead, contexts end at the line that is asked about; one-gold, each question once,
    without those that have several golds; balanced-judge, judgement with as many yes as no for each strategy;
    outcome-judge, whether a recommendation is taken up (takes --iard); desire-independent, the desires that no belief
    settles. The last three have only the items that they name.

    Of a file in IARD's format (dialogues whose lines have its labels): eight of the ten types, all but belief and
    desire, in our words, without look-ahead, each question once and judgement with as many yes as no.
    """
    from dtomtrack.suites.rectom.suite import RectomSuite

    run_published_import(RectomSuite(iard, seed), source, out, variant)

"""``dtomtrack import rectom``: RecToM's published files as a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dtomtrack.cli.published_import import FolderArgument, OutOption, VariantOption, run_published_import

__all__ = ["EXAMPLES", "SHORT_HELP", "command"]

SHORT_HELP = "The published files of RecToM."
EXAMPLES = "dtomtrack import rectom RecToM --out DIR --variant balanced-judge"


def command(
    folder: FolderArgument,
    out: OutOption,
    iard: Annotated[
        Path | None,
        typer.Option(
            help="IARD's umap2020_IARD_Cai.json: every label is checked against it, and a missing "
            "2_intent_seeker.json is built anew."
        ),
    ] = None,
    variant: VariantOption = None,
) -> None:
    """Make a dataset folder of RecToM's ten files (CGCL-codes/RecToM); those that are missing are named.

    Variants: as-published; no-look-ahead, contexts end at the line that is asked about; one-gold, each question once,
    without those that have several golds; balanced-judge, judgement with as many yes as no for each strategy;
    outcome-judge, whether a recommendation is taken up (takes --iard); desire-independent, the desires that no belief
    settles. The last three have only the items that they name.
    """
    from dtomtrack.suites.rectom.suite import RectomSuite

    run_published_import(RectomSuite(iard), folder, out, variant)

"""``dtomtrack import persuasivetom``: the published files of PersuasiveToM."""

from __future__ import annotations

from dtomtrack.cli.published_import import FolderArgument, OutOption, VariantOption, run_published_import

__all__ = ["EXAMPLES", "SHORT_HELP", "command"]

SHORT_HELP = "The published files of PersuasiveToM."
EXAMPLES = "dtomtrack import persuasivetom PersuasiveToM --out DIR --variant outcome"


def command(folder: FolderArgument, out: OutOption, variant: VariantOption = None) -> None:
    """Make a dataset folder of the published files of PersuasiveToM (Yu-Fangxu/PersuasiveToM).

    Variants: as-published; same-dialogue (intentions and strategies among those of other rounds); outcome (judgement by
    what happened to the desire); balanced (the persuadee's desire, labels equal in each round); both-wordings.
    """
    run_published_import("persuasivetom", folder, out, variant)

"""``dtomtrack import persuasivetom``: the published files of PersuasiveToM."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dtomtrack.cli.options import LimitFlags, ServerFlags, given_options, with_groups
from dtomtrack.cli.published_import import FolderArgument, OutOption, VariantOption, run_published_import
from dtomtrack.cli.stopping import resumable, run_stoppable

if TYPE_CHECKING:
    from dtomtrack.suites.persuasivetom.model_polarity import ModelPolarities

__all__ = ["EXAMPLES", "SHORT_HELP", "command"]

SHORT_HELP = "The published files of PersuasiveToM."
EXAMPLES = "dtomtrack import persuasivetom PersuasiveToM --out DIR --variant outcome"


@with_groups
def command(
    folder: FolderArgument,
    out: OutOption,
    server: ServerFlags,
    limits: LimitFlags,
    variant: VariantOption = None,
    polarity_model: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="Who says which attitudes are positive, neutral or negative, one call a word; by default a list of "
            "words says it. Replies are kept in polarity.sqlite.",
        ),
    ] = None,
) -> None:
    """Make a dataset folder of the published files of PersuasiveToM (Yu-Fangxu/PersuasiveToM).

    Variants: as-published; same-dialogue (intentions and strategies among those of other rounds); outcome (judgement by
    what happened to the desire); balanced (the persuadee's desire, labels equal in each round); both-wordings.
    """
    if polarity_model is None:
        run_published_import("persuasivetom", folder, out, variant)
        return
    with resumable():
        from dtomtrack.suites.persuasivetom.suite import PersuasiveTomSuite

        journal = out.parent / f"{out.name}.polarity.sqlite"
        options = {**given_options(limits), "concurrency": server.concurrency}
        said = _asked(polarity_model, server.base_url, options, folder, out, variant, journal)
        run_published_import(PersuasiveTomSuite(said), folder, out, variant)
        journal.replace(out / "polarity.sqlite")


def _asked(
    model: str,
    base_url: str | None,
    options: Mapping[str, object],
    folder: Path,
    out: Path,
    variant: str | None,
    journal: Path,
) -> ModelPolarities:
    """What a model says of the attitudes of a folder, once it is clear that they can be imported."""
    from dtomtrack.errors import InputError
    from dtomtrack.llm.options import client_settings
    from dtomtrack.llm.spec import parse_spec
    from dtomtrack.suites.items.importing import check_out, check_source
    from dtomtrack.suites.persuasivetom.kinds import KNOWN_FILES
    from dtomtrack.suites.persuasivetom.model_polarity import attitudes_of, polarities_by_model
    from dtomtrack.suites.published.folder import find_files

    if variant not in {None, "as-published"}:
        raise InputError(f"--polarity-model goes with as-published: {variant} has no questions on attitudes")
    check_out(out, folder)
    check_source(folder)
    attitudes = attitudes_of(find_files(folder, KNOWN_FILES), folder)
    spec = parse_spec(model, base_url)
    return run_stoppable(polarities_by_model(attitudes, spec, client_settings(options), journal))

"""``--config FILE``: the options of a command from a file, below those on the command line.

A file in YAML or JSON with an option a line, by its name without the dashes in front; or the manifest of a dataset,
which stands for the options of the command that made it. A run writes down the options of its file, not the file's
name: its manifest stands by itself.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dtomtrack.cli.command_line import spell_out, wrong_folder

if TYPE_CHECKING:
    from typer._click.core import Context, Parameter

__all__ = ["ConfigFile", "with_file"]

_RAISED = {"1", "true", "t", "yes", "y", "on"}
"""Words by which a flag is up, as the command line reads them."""
_KINDS = {"integer": "a whole number", "number": "a number", "float": "a number", "boolean": "yes or no"}
"""What an option takes, by a word that the command line's complaint has of it."""
_DEEPEST, _MOST_EVENTS = 20, 100_000
_EXAMPLE = "write an option a line, as in 'domain: travel'"
_WITH_COMMAS = frozenset({"domain", "turns"})
"""Options that take several words or numbers with commas between them, of which a file may have a list."""


def _take(ctx: typer.Context, path: Path | None) -> Path | None:
    """Make what a file says the defaults of the other options."""
    spell_out(None)
    if path is not None and not ctx.resilient_parsing:
        from dtomtrack.cli.stopping import complain
        from dtomtrack.errors import InputError

        try:
            _check_single(ctx)
            options = _options_in(ctx, path)
        except InputError as error:
            complain(str(error))
            raise typer.Exit(2) from None
        ctx.default_map = {**(ctx.default_map or {}), **options}
        spell_out(_spelled(ctx, options))
        ctx.call_on_close(lambda: spell_out(None))
    return path


ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        callback=_take,
        is_eager=True,
        help="A YAML or JSON file of these options, or a dataset's manifest.json; the command line goes before it.",
    ),
]
"""A file of options, which is read before all others."""


def with_file(ctx: Context, problem: str) -> str:
    """What is wrong with an option, with the file before it if that is where the option stands."""
    from typer._click.core import ParameterSource

    file = ctx.params.get("config")
    if file is None:
        return problem
    stated = [
        one for one in ctx.command.params if ctx.get_parameter_source(str(one.name)) is ParameterSource.DEFAULT_MAP
    ]
    names = "|".join(re.escape(name) for one in stated for name in _spoken_of(one, ctx.params[str(one.name)]))
    about = re.match(rf"(?:no |the |--|\w+: )?(?:{names})\b", problem) if names else None
    return problem if about is None else f"{file}: {problem}"


def _spoken_of(option: Parameter, value: object) -> Iterator[str]:
    """The names by which messages speak of an option: its own, and of NAME=VALUE the name."""
    yield from (str(option.name), *_names(option))
    for one in value if isinstance(value, list | tuple) else ():
        name, equals, _ = str(one).partition("=")
        if equals and name.strip():
            yield name.strip().replace("-", "_")


def _check_single(ctx: typer.Context) -> None:
    """See that one file is named: of several, the command line would take the last without a word."""
    from dtomtrack.errors import InputError

    _, _, named = ctx.command.make_parser(ctx).parse_args(_typed(ctx) or [])
    if sum(one.name == "config" for one in named) > 1:
        raise InputError("--config is given twice; give one file with the options of both")


def _typed(ctx: Context) -> list[str] | None:
    """The words behind the command's name, as it was started; None where it was started otherwise than by its words."""
    depth = _depth(ctx)
    return sys.argv[1 + depth :] if sys.argv[1 : 1 + depth] == ctx.command_path.split()[-depth:] else None


def _options_in(ctx: typer.Context, path: Path) -> dict[str, object]:
    """The options in a file, by the names of the parameters."""
    from dtomtrack.errors import InputError

    content = _mapping(path)
    if "format_version" in content and "command" in content:
        return _of_command(ctx, path, str(content["command"]))
    known = {name: one for one in ctx.command.params for name in _names(one)}
    found: dict[str, object] = {}
    for key, value in content.items():
        parameter = known.get(str(key).replace("_", "-"))
        if parameter is None or parameter.name is None:
            raise InputError(f"{path}: {key}: {_no_such(ctx, str(key), list(known))}")
        if value is not None:
            if parameter.name in found:
                raise InputError(f"{path}: {key}: stands twice; leave one of the two")
            found[parameter.name] = _plain(path, str(key), value, many=parameter.multiple)
            _check_fit(ctx, parameter, f"{path}: {key}", found[parameter.name])
    return found


def _check_fit(ctx: typer.Context, parameter: Parameter, where: str, value: object) -> None:
    """See that a value is what its option takes; of options that do something when they are given, nothing is tried."""
    from dtomtrack.errors import InputError

    if parameter.callback is not None:
        return
    try:
        parameter.process_value(ctx, value)
    except typer.BadParameter as error:
        wanted = next((words for kind, words in _KINDS.items() if kind in error.message), None)
        hint = f"it has to be {wanted}" if wanted else error.message.removeprefix("Value error, ")
        raise InputError(f"{where} is {value!r}; {hint}") from None


def _names(parameter: Parameter) -> list[str]:
    """The names of an option in a file; none of an argument, and of options that would not be known there."""
    if parameter.param_type_name != "option" or parameter.name in {"config", "help"}:
        return []
    return [name.lstrip("-") for name in parameter.opts if name.startswith("--")]


def _no_such(ctx: typer.Context, key: str, known: list[str]) -> str:
    from dtomtrack.options import most_like

    close = most_like(key.replace("_", "-"), known)
    hint = f"; did you mean {close}?" if close else f"; {_EXAMPLE}"
    return f"dtomtrack {ctx.info_name} has no such option{hint}"


def _plain(path: Path, key: str, value: object, *, many: bool) -> object:
    """The value as the command line would have it: words and numbers, or several of them for what can be repeated."""
    from dtomtrack.errors import InputError

    if key in _WITH_COMMAS and isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        value = ",".join(value)
    values = value if many and isinstance(value, list) else [value]
    if "" in values:
        raise InputError(f"{path}: {key}: is empty; leave it out, or say what it is")
    if not all(isinstance(one, str) for one in values):
        wanted = f"words or a list of them{_as_list(key, value)}" if many else "one word or number"
        raise InputError(f"{path}: {key}: has to be {wanted}")
    if key == "out" and (wrong := wrong_folder(str(value))):
        raise InputError(f"{path}: {wrong}")
    return values if many else values[0]


def _as_list(key: str, value: object) -> str:
    """How what was given as fields is written as a list; nothing if it was given otherwise."""
    words = list(_settings(value)) if isinstance(value, Mapping) else []
    shown = ", ".join(f'"{one}"' if "," in one else one for one in words)
    return f"; write '{key}: [{shown}]'" if words else ""


def _settings(fields: Mapping[object, object], group: str = "") -> Iterator[str]:
    """Fields as NAME=VALUE, a part of a group with a dot in its name."""
    for name, value in fields.items():
        if isinstance(value, Mapping):
            yield from _settings(value, f"{group}{name}.")
        else:
            yield f"{group}{name}={','.join(map(str, value)) if isinstance(value, list) else value}"


def _of_command(ctx: typer.Context, path: Path, command: str) -> dict[str, object]:
    """The options of the command in a manifest."""
    from dtomtrack.errors import InputError

    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"{path}: command: is no command line ({error})") from None
    # the name of the program is whatever it was started by
    names = ["dtomtrack", *ctx.command_path.split()[-_depth(ctx) :]]
    if not words:
        raise InputError(f"{path}: was made in Python, so it has no command line; write its options into a file")
    if words[: len(names)] != names:
        raise InputError(f"{path}: was made by another command than {' '.join(names)}")
    parser = ctx.command.make_parser(ctx)
    given, _, _ = parser.parse_args(words[len(names) :])
    if "config" in given:
        raise InputError(f"{path}: was made with --config {given['config']}; give that file")
    _check_folder(ctx, path, given.get("out"))
    return given


def _check_folder(ctx: Context, path: Path, out: object) -> None:
    """See that a manifest lies where its command writes to, or that the command line says where: a copy names another.

    Raises:
        InputError: it would go there without a word, or no folder can be there.
    """
    from dtomtrack.errors import InputError

    if out is None or "out" in _given(ctx):
        return
    if wrong := wrong_folder(str(out)):
        raise InputError(f"{path}: {wrong}")
    if not _lies_in(path, Path(str(out))):
        raise InputError(f"{path}: names {out} as the folder to write to, and doesn't lie there; say which with --out")


def _lies_in(manifest: Path, out: Path) -> bool:
    """Whether a manifest is that of this folder, or of a subject's in it: what was made there is gone on with."""
    return out.exists() and out.resolve() in manifest.resolve().parents


def _given(ctx: Context) -> Mapping[str, object]:
    """The options on the command line, by the names of their parameters."""
    return ctx.command.make_parser(ctx).parse_args(_typed(ctx) or [])[0]


def _spelled(ctx: Context, options: Mapping[str, object]) -> list[str] | None:
    """The words of the command line, with these options in the place of the file, where it doesn't have them itself."""
    words = _typed(ctx)
    if words is None:
        return None
    given = _given(ctx)
    stated = [
        word
        for one in ctx.command.params
        if one.param_type_name == "option" and one.name in options and one.name not in given
        for word in _words_of(one, options[one.name])
    ]
    return [*ctx.command_path.split()[-_depth(ctx) :], *stated, *_without_file(words)]


def _words_of(option: Parameter, value: object) -> Iterator[str]:
    """An option with its value on a command line; a flag that is down may have no words."""
    name = next(one for one in option.opts if one.startswith("--"))
    if getattr(option, "is_flag", False):
        yield from [name] if str(value).lower() in _RAISED else option.secondary_opts[:1]
        return
    for one in value if isinstance(value, list | tuple) else [value]:
        yield from (name, str(one))


def _without_file(words: list[str]) -> list[str]:
    left = list(words)
    while "--config" in left:
        place = left.index("--config")
        del left[place : place + 2]
    return [one for one in left if not one.startswith("--config=")]


def _depth(ctx: Context) -> int:
    """How many words name the command: two for ``play rhetbench``."""
    return 0 if ctx.parent is None else 1 + _depth(ctx.parent)


def _mapping(path: Path) -> Mapping[object, object]:
    import yaml

    from dtomtrack.errors import InputError
    from dtomtrack.files import text_of

    if path.is_dir():
        manifest = path / "manifest.json"
        hint = f"give {manifest}" if manifest.is_file() else "give a file with options"
        raise InputError(f"{path}: is a folder; {hint}")
    try:
        text = text_of(path, "configuration")
        content = _as_written(path, text) if _is_small(text) else None
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{path}: there is no such file; --config names one") from None
    except (yaml.YAMLError, ValueError) as error:
        raise InputError(f"{path}: is no YAML ({str(error).splitlines()[0]})") from None
    if not isinstance(content, dict) or not content:
        raise InputError(f"{path}: is no configuration; {_EXAMPLE}")
    return content


def _as_written(path: Path, text: str) -> object:
    """What a text in YAML holds, with its scalars as they stand there: "yes" is a name, and 010 is ten to an option."""
    import yaml

    from dtomtrack.errors import InputError

    class Loader(yaml.SafeLoader):
        """Takes nothing but null for more than a text."""

        yaml_implicit_resolvers = {  # noqa: RUF012 - the library's name
            first: [(tag, form) for tag, form in resolvers if tag == "tag:yaml.org,2002:null"]
            for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }

        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, object]:
            """A mapping, each of whose keys stands there once."""
            names = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
            for name in names:
                if names.count(name) > 1:
                    raise InputError(f"{path}: {name} stands twice; leave one of the two")
            return super().construct_mapping(node, deep)

    return yaml.load(text, Loader)  # noqa: S506 - a SafeLoader


def _is_small(text: str) -> bool:
    """Whether a text holds no more than options, or a manifest: not deep, not much, and no aliases."""
    import yaml

    depth = 0
    for number, event in enumerate(yaml.parse(text)):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent) or depth > _DEEPEST or number > _MOST_EVENTS:
            return False
    return True

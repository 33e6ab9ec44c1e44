"""Read the file of an experiment, and find the ids of the providers, prompts and sources that it names.

The fields are those of `POST /v1/experiments`, with names where the API has ids: `provider` instead of `provider_id`,
`prompt` instead of a variant's `prompt_version_id`, and `collections` and `datasets` instead of `sources`. A prompt or
a dataset is given by its name, which means its newest version, or as `name@3`, which means version 3.
"""

from pathlib import Path
from typing import Any

from llmbench_cli.client import Client, Json
from llmbench_cli.errors import CommandFailed, Refused
from llmbench_cli.resources import version_path
from llmbench_cli.runs.names import Named, prompt_version
from llmbench_cli.runs.yaml_lines import BadYaml, line_of, read_yaml
from llmbench_cli.runs.yaml_lines import Path as Place

_LARGEST_BYTES = 1024 * 1024


class BadExperiment(CommandFailed):
    """Raised for a file that cannot be used as an experiment."""


class ExperimentFile:
    """The document of an experiment's file, with the line of each entry."""

    def __init__(self, name: str, document: Json, lines: dict[Place, int]) -> None:
        self.name = name
        self.document = document
        self._lines = lines

    def refused(self, refused: Refused) -> CommandFailed:
        """Convert the platform's error response to an error that names the line of each refused field. If the response
        names no field, return it unchanged."""
        if not refused.errors:
            return refused
        shown = [f"{self.name}:{self._line(field)}: {field}: {message}" for field, message in refused.errors]
        return BadExperiment("\n".join(shown))

    def bad(self, field: str, failed: CommandFailed) -> BadExperiment:
        """Return the error `failed`, preceded by the file, the line and the name of the field at fault."""
        return BadExperiment(f"{self.name}:{self._line(field)}: {field}: {failed}")

    def _line(self, field: str) -> int:
        place: Place = tuple(int(step) if step.isdecimal() else step for step in field.split("."))
        return line_of(place, self._lines)


def read_experiment(file: Path) -> ExperimentFile:
    """Read the file. Raises `BadExperiment` if it cannot be read, or is no mapping."""
    try:
        if file.stat().st_size > _LARGEST_BYTES:
            raise BadExperiment(f"{file} is larger than an experiment can be")
        document, lines = read_yaml(file.read_text("utf-8-sig"))
    except OSError as failed:
        raise BadExperiment(f"{file} cannot be read: {failed.strerror}") from failed
    except UnicodeDecodeError as failed:
        raise BadExperiment(f"{file} is not UTF-8") from failed
    except BadYaml as bad:
        raise BadExperiment(f"{file}:{bad.line}: {bad}") from bad
    if not isinstance(document, dict):
        raise BadExperiment(f"{file}:1: not an experiment: write `name:`, `primary_metric:` and `variants:`")
    return ExperimentFile(str(file), document, lines)


async def body_of(client: Client, file: ExperimentFile) -> Json:
    """Return the body of `POST /v1/experiments`. Raises `CommandFailed` for a name that is unknown."""
    providers = await Named.read(client, "/api/providers", "provider")
    body: Json = _with_ids(file.document, providers)
    await _find_prompts(client, file, body)
    collections, datasets = body.pop("collections", None), body.pop("datasets", None)
    if collections is not None or datasets is not None:
        known = await Named.read(client, "/api/collections", "collection")
        body["sources"] = {
            "collection_ids": [_id(known, str(name)) for name in _list(collections)],
            "dataset_version_ids": [await _version(client, str(name)) for name in _list(datasets)],
        }
    return body


def _with_ids(part: Any, providers: Named) -> Any:
    """Return a part of the document with the ids of its providers instead of their names."""
    if isinstance(part, list):
        return [_with_ids(each, providers) for each in part]
    if not isinstance(part, dict):
        return part
    found = {name: _with_ids(value, providers) for name, value in part.items() if name != "provider"}
    if "provider" in part:
        found["provider_id"] = _id(providers, str(part["provider"]))
    return found


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _id(known: Named, name: str) -> str:
    id_ = known.id(name)
    if id_ is None:
        raise CommandFailed(known.lacking(name))
    return id_


async def _version(client: Client, wanted: str) -> str:
    """Return the id of the dataset version that a text such as `faq@3` names. A name alone means the newest version."""
    return str((await client.get(await version_path(client, *_named_version(wanted))))["version_id"])


async def _find_prompts(client: Client, file: ExperimentFile, body: Json) -> None:
    """Replace the prompts in the variants of the body by the ids of their versions."""
    variants = body.get("variants")
    for index, variant in enumerate(variants if isinstance(variants, list) else []):
        config = variant.get("config") if isinstance(variant, dict) else None
        if not isinstance(config, dict) or "prompt" not in config:
            continue
        field = f"variants.{index}.config.prompt"
        if config.get("prompt_version_id") is not None:
            raise file.bad(field, CommandFailed("name the prompt or give prompt_version_id, not both"))
        try:
            found = await prompt_version(client, *_named_version(str(config.pop("prompt"))))
        except CommandFailed as failed:
            raise file.bad(field, failed) from failed
        config["prompt_version_id"] = found["id"]


def _named_version(wanted: str) -> tuple[str, int | None]:
    """Return name and number of a version; the number is `None` for the newest one.

    >>> _named_version("faq@3"), _named_version("support@home")
    (('faq', 3), ('support@home', None))
    """
    name, at, number = wanted.rpartition("@")
    return (name, int(number)) if at and name and number.isdecimal() else (wanted, None)

"""Read docker-compose.yml as docker compose does: anchors, merges, and variables with their defaults."""

import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from llmbench_cli.embedded.binaries import checkout

FILE = checkout() / "deploy" / "docker-compose.yml"


class VariableMissing(Exception):
    """Raised when a variable that the file requires, as `${NAME:?what to do}`, has no value."""


@dataclass(frozen=True)
class ComposeService:
    """A service of the compose file. `fields` are its keys with all variables expanded."""

    name: str
    fields: Mapping[str, Any]

    @property
    def command(self) -> list[str]:
        return list(self.fields.get("command", ()))

    @property
    def environment(self) -> dict[str, str]:
        return dict(self.fields.get("environment", {}))

    @property
    def depends_on(self) -> dict[str, str]:
        wanted = self.fields.get("depends_on", {})
        if isinstance(wanted, list):
            return dict.fromkeys(wanted, "service_started")
        return {name: each["condition"] for name, each in wanted.items()}

    @property
    def health(self) -> list[str]:
        """Return the command of the service's health check, as a list of words; empty without a health check."""
        test = self.fields.get("healthcheck", {}).get("test", [])
        assert not test or test[0] == "CMD", test
        return list(test[1:])

    def mounted(self, target: str) -> str:
        """Return the source of the mount at a path of the container: a path relative to the compose file, or the name
        of a volume."""
        named = [volume.split(":") for volume in self.fields["volumes"] if ":" in volume]
        sources = [source for source, at, *_ in named if at == target]
        assert len(sources) == 1, f"{self.name} mounts nothing at {target}"
        return str(sources[0])


def started(variables: Mapping[str, str]) -> dict[str, ComposeService]:
    """Return the services that `docker compose up` starts: services without a profile, and services of the profiles
    that COMPOSE_PROFILES names."""
    chosen = set(variables.get("COMPOSE_PROFILES", "").split(","))
    return {
        name: each
        for name, each in read(variables).items()
        if "profiles" not in each.fields or chosen & set(each.fields["profiles"])
    }


def read(variables: Mapping[str, str], file: Path = FILE) -> dict[str, ComposeService]:
    """Return every service of the file with its variables replaced. Raises `VariableMissing`."""
    document = _filled(yaml.safe_load(file.read_text("utf-8")), variables)
    return {name: ComposeService(name, fields) for name, fields in document["services"].items()}


def made_secrets() -> dict[str, str]:
    """Return the secrets that `deploy/make-env.sh` generates, by variable name."""
    with tempfile.TemporaryDirectory() as folder:
        env = Path(folder) / ".env"
        subprocess.run([FILE.parent / "make-env.sh", env], check=True, capture_output=True)
        assert env.stat().st_mode & 0o777 == 0o600
        return dict(line.split("=", 1) for line in env.read_text("ascii").splitlines())


def volumes(file: Path = FILE) -> set[str]:
    return set(yaml.safe_load(file.read_text("utf-8"))["volumes"])


def _filled(part: Any, variables: Mapping[str, str]) -> Any:
    if isinstance(part, str):
        return interpolate(part, variables)
    if isinstance(part, dict):
        return {key: _filled(value, variables) for key, value in part.items()}
    if isinstance(part, list):
        return [_filled(entry, variables) for entry in part]
    return part


def interpolate(text: str, variables: Mapping[str, str]) -> str:
    """Expand `${NAME}`, `${NAME:-default}` and `${NAME:?error}`; a default may contain variables."""
    before, mark, rest = text.partition("${")
    if not mark:
        return text
    depth, end = 1, 0
    while depth:
        depth += {"{": 1, "}": -1}.get(rest[end], 0)
        end += 1
    inside, after = rest[: end - 1], rest[end:]
    name = inside.partition(":")[0]
    operator, alternative = inside[len(name) : len(name) + 2], inside[len(name) + 2 :]
    value = variables.get(name, "")
    if not value and operator == ":-":
        value = interpolate(alternative, variables)
    elif not value and operator == ":?":
        raise VariableMissing(f"{name}: {alternative}")
    return before + value + interpolate(after, variables)

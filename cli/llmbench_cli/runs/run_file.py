"""A run as a file: what `llmbench run` reads, and where in it a fault is.

The fields are those of `POST /api/runs`, with names where that has ids: `provider`, `collections`, `baseline`. Their
bounds are the platform's to check; what it refuses is shown with the line of the file.
"""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from llmbench.contracts.chat import SamplingParams
from llmbench_cli.client import Json
from llmbench_cli.errors import CommandFailed
from llmbench_cli.runs import yaml_lines

Place = yaml_lines.Path
MAX_BYTES = 1024 * 1024
Share = Annotated[float, Field(ge=0, le=1)]


class Entry(BaseModel):
    """A part of the file: what it does not know, it refuses. A number is not taken for a text, nor a text for one."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Params(SamplingParams):
    """As in the API; a misspelt name would otherwise be one that is not set."""

    model_config = ConfigDict(extra="forbid")


class JudgeEntry(Entry):
    """The judge; `provider` is a name or an id."""

    provider: str
    model: str
    params: Params | None = None
    concurrency: int | None = None


class PanelEntry(Entry):
    """Several judges instead of one; the median of their scores counts."""

    judges: list[JudgeEntry]
    quorum: int | None = None


class EvaluatorEntry(Entry):
    """One way to score every answer; its parameters are the platform's to check."""

    kind: str
    name: str | None = None
    params: dict[str, Any] | None = None
    weight: float | None = None
    required: bool | None = None
    pass_threshold: float | None = None
    only: dict[str, Any] | None = None
    unless: dict[str, Any] | None = None
    judge: JudgeEntry | None = None
    panel: PanelEntry | None = None


class TargetEntry(Entry):
    """One thing under test. What it leaves out is the run's."""

    provider: str
    model: str
    label: str | None = None
    params: Params | None = None
    epochs: int | None = None
    concurrency: int | None = None
    timeout_s: float | None = None
    max_attempts: int | None = None
    use_cache: bool | None = None


class Thresholds(Entry):
    """What every target has to reach. `min_score` is of the mean score, from 0 to 1."""

    min_score: Share | None = None
    min_pass_rate: Share | None = None
    allow_partial: bool = False


class GateEntry(Entry):
    """A metric that may not get worse than the baseline's by `margin` or more. `undecided`: `ok` forgives that it
    cannot be told, unless it is lower for certain."""

    metric: str = "score"
    margin: float = Field(gt=0, le=10, allow_inf_nan=False)
    undecided: Literal["fail", "ok"] = "fail"
    force: bool = False


class RunFile(Entry):
    """The whole file. `collections` (empty where dataset versions are enough) and `baseline` are names or ids.
    `preset` is the name of settings that give what the file leaves out. Without `evaluators` a case's checks score
    it, and the judge's rubric scores the cases without checks."""

    name: str | None = None
    description: str | None = None
    tags: list[str] | None = None
    baseline: str | None = None
    max_cost_usd: float | None = None
    cluster_by: str | None = None
    preset: str | None = None
    judge: JudgeEntry | None = None
    panel: PanelEntry | None = None
    evaluators: list[EvaluatorEntry] | None = None
    targets: list[TargetEntry]
    collections: list[str]
    dataset_version_ids: list[str] | None = None
    params: Params | None = None
    epochs: int | None = None
    concurrency: int | None = None
    timeout_s: float | None = None
    max_attempts: int | None = None
    use_cache: bool | None = None
    max_backoff_s: float | None = None
    max_conversation_history: int | None = None
    show_choices: bool | None = None
    check_providers: bool | None = None
    allow_self_judging: bool | None = None
    thresholds: Thresholds = Thresholds()
    gate: GateEntry | None = None


_MODELS: dict[str, type[BaseModel]] = {
    "": RunFile,
    "judge": JudgeEntry,
    "panel": PanelEntry,
    "judges": JudgeEntry,
    "evaluators": EvaluatorEntry,
    "targets": TargetEntry,
    "params": Params,
    "thresholds": Thresholds,
    "gate": GateEntry,
}
_API_NAMES = {"provider_id": "provider", "collection_ids": "collections", "baseline_run_id": "baseline"}


@dataclass(frozen=True)
class Fault:
    """What is wrong, and where."""

    place: Place
    message: str


class BadRunFile(CommandFailed):
    """The file cannot be used. One line per fault, as compilers write them."""


@dataclass(frozen=True)
class Source:
    """A file and the lines of what is in it."""

    name: str
    lines: dict[Place, int]

    def bad(self, faults: Iterable[Fault]) -> BadRunFile:
        """Return the error that shows these faults."""
        shown = [(yaml_lines.line_of(fault.place, self.lines), fault) for fault in faults]
        return BadRunFile(
            "\n".join(
                f"{self.name}:{line}: {_dotted(fault.place)}{': ' if fault.place else ''}{fault.message}"
                for line, fault in sorted(shown, key=lambda one: one[0])
            )
        )

    def refused(self, errors: Sequence[tuple[str, str]]) -> BadRunFile | None:
        """Return the API's complaints about a body made from this file as complaints about the file."""
        faults = [Fault(_place(field), message) for field, message in errors]
        return self.bad(faults) if faults else None


def read_run_file(path: Path) -> tuple[RunFile, Source]:
    """Raises `BadRunFile`."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadRunFile(f"{path} is larger than a run file can be")
        text = path.read_text("utf-8-sig")
    except OSError as failed:
        raise BadRunFile(f"{path} cannot be read: {failed.strerror}") from failed
    except UnicodeDecodeError as failed:
        raise BadRunFile(f"{path} is not UTF-8") from failed
    return parse_run_file(text, name=str(path))


def parse_run_file(text: str, *, name: str) -> tuple[RunFile, Source]:
    """Raises `BadRunFile`."""
    try:
        document, lines = yaml_lines.read_yaml(text)
    except yaml_lines.BadYaml as bad:
        raise BadRunFile(f"{name}:{bad.line}: {bad}") from None
    source = Source(name, lines)
    if not isinstance(document, dict):
        raise source.bad([Fault((), "a run file is a mapping: judge, targets, collections and options")])
    try:
        run = RunFile.model_validate(document)
    except ValidationError as wrong:
        raise source.bad(_fault(error) for error in wrong.errors()) from None
    if run.gate is not None and run.baseline is None:
        raise source.bad([Fault(("gate",), "a gate needs a baseline: name the run to compare with, as `baseline`")])
    return run, source


def judges(run: RunFile) -> dict[Place, JudgeEntry]:
    """Return who judges, by where the file says so."""
    parts: list[tuple[Place, RunFile | EvaluatorEntry]] = [((), run)]
    parts += [(("evaluators", index), one) for index, one in enumerate(run.evaluators or [])]
    named: dict[Place, JudgeEntry] = {}
    for place, part in parts:
        if part.judge is not None:
            named[*place, "judge"] = part.judge
        if part.panel is not None:
            named |= {(*place, "panel", "judges", index): one for index, one in enumerate(part.panel.judges)}
    return named


def body(run: RunFile, *, providers: dict[str, str], collections: list[str], baseline: str | None) -> Json:
    """Return what `POST /api/runs` takes. `providers` maps what the file says to ids."""
    made = run.model_dump(
        mode="json", exclude_unset=True, exclude={"thresholds", "gate", "collections", "baseline", "preset"}
    )
    made |= _asked(made, providers)
    if run.evaluators is not None:
        made["evaluators"] = [_written(one | _asked(one, providers)) for one in made["evaluators"]]
    made["targets"] = [_part(target, providers) for target in made["targets"]]
    made |= {"collection_ids": collections, "baseline_run_id": baseline}
    return _written(made)


def _asked(part: Json, providers: dict[str, str]) -> Json:
    """The judge or the panel that a part names."""
    judge, panel = part.get("judge"), part.get("panel")
    judges = [_part(one, providers) for one in panel["judges"]] if panel else []
    return {
        "judge": _part(judge, providers) if judge else None,
        "panel": _written({**panel, "judges": judges}) if panel else None,
    }


def _part(part: Json, providers: dict[str, str]) -> Json:
    return _written({"provider_id": providers[part["provider"]], **part, "provider": None})


def _written(part: Json) -> Json:
    """What has a name but no value is as good as left out. (Not so in `params`: there it is the provider's default.)"""
    return {name: value for name, value in part.items() if value is not None}


def _fault(error: Any) -> Fault:
    place: Place = tuple(error["loc"])
    if error["type"] == "extra_forbidden":
        return Fault(place, f"there is no such field{_suggested(place)}")
    if error["type"] == "missing":
        return Fault(place, "is missing")
    return Fault(place, str(error["msg"]).removeprefix("Value error, "))


def _suggested(place: Place) -> str:
    around = next((str(step) for step in reversed(place[:-1]) if isinstance(step, str)), "")
    known = list(_MODELS[around].model_fields) if around in _MODELS else []
    return f"; {meant(str(place[-1]), known)}"


def meant(word: str, known: Sequence[str]) -> str:
    """Return what may have been meant, or what there is.

    >>> meant("colections", ["collections", "judge"]), meant("x", ["b", "a"]), meant("x", [])
    ("did you mean 'collections'?", "there is 'b', 'a'", 'there is none')
    """
    folded = {one.casefold(): one for one in known}
    close = difflib.get_close_matches(word.casefold(), list(folded), n=1)
    if close:
        return f"did you mean '{folded[close[0]]}'?"
    listed = ", ".join(f"'{one}'" for one in known[:20])
    return f"there is {listed}{' …' if len(known) > 20 else ''}" if known else "there is none"


def _place(field: str) -> Place:
    """From the API's dotted path: `targets.0.provider_id` is `targets.0.provider` in the file."""
    return tuple(int(step) if step.isdecimal() else _API_NAMES.get(step, step) for step in field.split("."))


def _dotted(place: Place) -> str:
    return ".".join(str(step) for step in place)

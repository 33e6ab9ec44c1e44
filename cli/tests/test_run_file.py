"""Test that run files can express everything that the API accepts, and that errors name their line."""

from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

import llmbench_cli
from llmbench.contracts.chat import SamplingParams
from llmbench.ids import new_id
from llmbench_cli.demo.prepare import COLLECTION
from llmbench_cli.embedded.binaries import checkout
from llmbench_cli.embedded.model import MODEL_NAME
from llmbench_cli.runs.run_file import (
    BadRunFile,
    EvaluatorEntry,
    JudgeEntry,
    PanelEntry,
    RunFile,
    TargetEntry,
    body,
    judges,
    parse_run_file,
    read_run_file,
)
from orchestrator.runs.api.bodies import CreateRun, EvaluatorInput, JudgeChoice, PanelChoice, TargetChoice

PROVIDER = "Built-in SmolLM2"
SAMPLE = Path(llmbench_cli.__file__).parent / "samples" / "run.yaml"
IDS = {name: str(new_id()) for name in ("Mock", PROVIDER)}
LEAST = "judge: {provider: Mock, model: j}\ntargets:\n  - {provider: Mock, model: a}\ncollections: [C]\n"


def _request_body(text: str) -> tuple[dict[str, Any], CreateRun]:
    run, _ = parse_run_file(text, name="run.yaml")
    request = body(run, providers=IDS, collections=[str(new_id())], baseline=None)
    return request, CreateRun.model_validate(request)


def _providers(run: RunFile) -> set[str]:
    return {*(judge.provider for judge in judges(run).values()), *(target.provider for target in run.targets)}


def _faults(text: str) -> list[str]:
    with pytest.raises(BadRunFile) as caught:
        parse_run_file(text, name="run.yaml")
    return str(caught.value).splitlines()


def test_sample_run_file_can_be_started_after_the_demo() -> None:
    run, _ = read_run_file(SAMPLE)
    request = CreateRun.model_validate(body(run, providers=IDS, collections=[str(new_id())], baseline=None))
    assert [target.label for target in request.targets] == ["cool", "warm"]
    assert request.params.max_tokens == 160
    assert {target.model for target in request.targets} == {MODEL_NAME}
    assert _providers(run) == {PROVIDER}
    assert run.collections == [COLLECTION]
    assert run.thresholds.min_score == 0.1


def test_run_file_in_the_documentation_is_valid_and_lists_every_field() -> None:
    page = (checkout() / "docs" / "how-to" / "run-from-the-command-line.md").read_text("utf-8")
    run, _ = parse_run_file(page.partition("```yaml\n")[2].partition("```")[0], name="page")
    ids = dict.fromkeys(_providers(run), str(new_id()))
    CreateRun.model_validate(body(run, providers=ids, collections=[str(new_id())], baseline=None))
    for part in (RunFile, TargetEntry, EvaluatorEntry, SamplingParams):
        assert all(f"`{name}`" in page for name in part.model_fields)


@pytest.mark.parametrize(
    ("entry", "api", "renamed"),
    [
        (
            RunFile,
            CreateRun,
            {"collections": "collection_ids", "baseline": "baseline_run_id", "preset": "subject"},
        ),
        (JudgeEntry, JudgeChoice, {"provider": "provider_id"}),
        (
            TargetEntry,
            TargetChoice,
            {"provider": "provider_id", "prompt": "prompt_version_id", "prompt_version": "prompt_version_id"},
        ),
        (EvaluatorEntry, EvaluatorInput, {}),
        (PanelEntry, PanelChoice, {}),
    ],
)
def test_every_field_of_the_api_can_be_written_in_a_run_file(
    entry: type[BaseModel], api: type[BaseModel], renamed: dict[str, str]
) -> None:
    written = {renamed.get(name, name) for name in entry.model_fields} - {"thresholds", "gate"}
    assert written == set(api.model_fields)
    # The parameters of an evaluator may have any names.
    params = [
        field.annotation
        for name, field in entry.model_fields.items()
        if name == "params" and entry is not EvaluatorEntry
    ]
    assert all(set(get_args(param)[0].model_fields) == set(SamplingParams.model_fields) for param in params)


def test_omitted_fields_are_left_to_the_platform() -> None:
    request, _ = _request_body(LEAST + "name:\n")
    assert set(request) == {"judge", "targets", "collection_ids"}
    assert request["targets"] == [{"provider_id": IDS["Mock"], "model": "a"}]


def test_evaluators_are_written_as_in_the_api_but_providers_by_name() -> None:
    request, run = _request_body(
        "evaluators:\n"
        "  - {kind: contains, params: {texts: [Paris]}, weight: 2, pass_threshold:}\n"
        "  - {kind: g_eval, name: fluent, judge: {provider: Mock, model: j}}\n"
        "targets:\n  - {provider: Mock, model: a}\ncollections: [C]\n"
    )
    assert request["evaluators"] == [
        {"kind": "contains", "params": {"texts": ["Paris"]}, "weight": 2},
        {"kind": "g_eval", "name": "fluent", "judge": {"provider_id": IDS["Mock"], "model": "j"}},
    ]
    assert run.judge is None


def test_panel_may_belong_to_the_run_or_to_an_evaluator() -> None:
    request, run = _request_body(
        "panel:\n  judges: [{provider: Mock, model: j}, {provider: Mock, model: k}]\n"
        "evaluators:\n"
        "  - {kind: rubric}\n"
        "  - kind: g_eval\n    panel: {judges: [{provider: Mock, model: l}, {provider: Mock, model: m}], quorum: 2}\n"
        "targets:\n  - {provider: Mock, model: a}\ncollections: [C]\n"
    )
    mock = IDS["Mock"]
    assert request["panel"] == {"judges": [{"provider_id": mock, "model": "j"}, {"provider_id": mock, "model": "k"}]}
    assert request["evaluators"][0] == {"kind": "rubric"}
    assert run.evaluators is not None
    assert run.evaluators[1].panel is not None
    assert (run.evaluators[1].panel.quorum, [judge.model for judge in run.evaluators[1].panel.judges]) == (
        2,
        ["l", "m"],
    )
    faults = _faults("panel: {judges: [{provider: Mock, modle: j}]}\n" + LEAST)
    assert "run.yaml:1: panel.judges.0.modle: there is no field 'modle' here; did you mean 'model'?" in faults


def test_every_value_of_a_run_file_reaches_the_request() -> None:
    request, run = _request_body(
        LEAST.replace("model: a}", "model: a, params: {temperature: 1, stop: [END], options: {num_ctx: 8192}}}")
        + "tags: [x]\nepochs: 3\nmax_cost_usd: 2\ntimeout_s: 60\nuse_cache: true\n"
        + "params: {seed: 7, temperature: null}\n"
    )
    assert (run.tags, run.epochs, run.max_cost_usd, run.timeout_s, run.use_cache) == (["x"], 3, 2, 60, True)
    assert run.targets[0].params.stop == ("END",)
    assert run.targets[0].params.options == {"num_ctx": 8192}
    # Null is kept here: it means the provider's default.
    assert request["params"] == {"seed": 7, "temperature": None}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("jugde: 1\n" + LEAST, "run.yaml:1: jugde: there is no field 'jugde' here; did you mean 'judge'?"),
        (
            LEAST + "thresholds: {minscore: 1}\n",
            "thresholds.minscore: there is no field 'minscore' here; did you mean 'min_score",
        ),
        (
            LEAST + "params:\n  seed: 1\n  temprature: 1\n",
            "run.yaml:7: params.temprature: there is no field 'temprature' here; ",
        ),
        (
            LEAST + "params:\n  temperature: 3\n",
            "run.yaml:6: params.temperature: must be at most 2",
        ),
        (
            LEAST + "thresholds:\n  min_score: 80\n",
            "run.yaml:6: thresholds.min_score: must be at most 1",
        ),
        (LEAST.replace("model: a", "model: 3"), "run.yaml:3: targets.0.model: must be a text"),
        (LEAST.replace("collections: [C]\n", ""), "run.yaml:1: collections: is missing"),
        (LEAST + "epochs: 1\nname: x\nepochs: 2\n", "run.yaml:7: 'epochs' is here twice; the first is in line 5"),
        (LEAST + "name: [\n", "run.yaml:6: not YAML: "),
        (LEAST + "name: &a [*a]\n", "run.yaml:1: an alias refers to what contains it"),
        (LEAST + "name: \x00\n", "run.yaml:5: not YAML: the character U+0000"),
        (LEAST + "name: 2026-99-99\n", "run.yaml:1: not YAML: "),
        ("- 1\n", "run.yaml:1: a run file is a mapping: judge, targets, collections and options"),
        ("", "run.yaml:1: a run file is a mapping: judge, targets, collections and options"),
    ],
)
def test_fault_of_a_run_file_is_named_with_its_line(text: str, fault: str) -> None:
    [line] = _faults(text)
    assert fault in line


def test_all_faults_are_reported_together_by_line() -> None:
    lines = _faults("epoch: 1\n" + LEAST.replace("provider: Mock, model: a", "model: a") + "tags: x\n")
    assert [line.partition(": ")[0] for line in lines] == ["run.yaml:1", "run.yaml:4", "run.yaml:6"]


def test_refusals_of_the_api_are_reported_by_line_of_the_file() -> None:
    _, source = parse_run_file(LEAST, name="run.yaml")
    refused = source.refused([("targets.0.provider_id", "is gone"), ("collection_ids.0", "is empty")])
    assert str(refused) == "run.yaml:3: targets.0.provider: is gone\nrun.yaml:4: collections.0: is empty"
    assert source.refused([]) is None


def test_merged_yaml_keys_are_supported() -> None:
    run, _ = parse_run_file(
        "judge: &m {provider: Mock, model: j}\ntargets:\n  - {<<: *m, model: a}\ncollections: [C]\n", name="run.yaml"
    )
    assert (run.targets[0].provider, run.targets[0].model) == ("Mock", "a")


def test_unreadable_run_file_is_reported_in_one_line(tmp_path: Path) -> None:
    for make in (lambda p: None, lambda p: p.mkdir(), lambda p: p.write_bytes(b"\xff\xfe\x00")):
        path = tmp_path / f"{make.__code__.co_firstlineno}-{len(list(tmp_path.iterdir()))}.yaml"
        make(path)
        with pytest.raises(BadRunFile, match=f"^{path} (cannot be read|is not UTF-8)"):
            read_run_file(path)

"""Test how the settings of a CI job are read: from a CI file or a suite's file. Options override them. Keys are
accepted only from environment variables.
"""

from pathlib import Path

import pytest

from llmbench_cli.ci.ci_file import CUSTOM, GateEntry, gate_of, model_of, provider_of, seconds_of
from llmbench_cli.ci.wanted import Over, dataset_of, read_job
from llmbench_cli.errors import CommandFailed
from llmbench_cli.runs.run_file import BadRunFile
from llmbench_cli.suite_file import BadSuite

SUITE = """\
name: Sums
tasks:
  - name: sums
    source: {dataset: sums}
  - name: words
    source: {dataset: words}
"""
CI_FILE = """\
suite: suite.yaml
datasets: {sums: sums.jsonl}
providers:
  - {name: Acme, url: "https://acme.example/v1", key_env: ACME_KEY}
targets:
  - Acme:small
  - {model: "Acme:large:7b", label: assistant, params: {temperature: 0}}
judge: Acme:judge
gates:
  - {metric: score, margin: 0.05}
  - {metric: cost, margin: 0.1, undecided: ok}
thresholds: {min_score: 0.5}
timeout: 30m
"""
KEY = "sk-very-secret-value"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "suite.yaml").write_text(SUITE)
    (tmp_path / "ci.yaml").write_text(CI_FILE)
    (tmp_path / "sums.jsonl").write_text('{"prompt": "1 + 1?"}\n')
    return tmp_path


def test_ci_file_names_everything(folder: Path) -> None:
    job = read_job(folder / "ci.yaml", Over(), {"ACME_KEY": KEY})
    assert job.suite is not None
    assert job.suite.document["name"] == "Sums"
    assert (job.suite.line_of_task("words"), job.suite.line_of_task("none")) == (5, 1)
    assert job.models() == ["Acme:small", "Acme:large:7b", "Acme:judge"]
    assert job.targets[1].label == "assistant"
    assert [(gate.metric, gate.margin, gate.undecided) for gate in job.gates] == [
        ("score", 0.05, "fail"),
        ("cost", 0.1, "ok"),
    ]
    assert job.places["gates", 1] == 11
    assert dict(job.datasets) == {"sums": folder / "sums.jsonl"}
    assert (job.thresholds.min_score, job.timeout_s, job.label) == (0.5, 1800, None)
    (provider,) = job.providers
    assert provider.key is not None
    assert provider.key.get_secret_value() == KEY
    assert KEY not in repr(job)


def test_options_override_the_ci_file(folder: Path) -> None:
    over = Over(
        targets=["Acme:other"],
        judge="Acme:judge-2",
        providers=[provider_of("name=Acme,url=http://127.0.0.1:1/v1"), provider_of("name=More,type=OLLAMA")],
        datasets=dict([dataset_of(f"words={folder / 'sums.jsonl'}")]),
        gates=[gate_of("latency=10%", undecided="ok")],
        baseline="v1",
        timeout="90s",
        thresholds={"min_score": 0.7, "min_pass_rate": None},
    )
    job = read_job(folder / "ci.yaml", over, {})
    assert job.models() == ["Acme:other", "Acme:judge-2"]
    assert [provider.entry.name for provider in job.providers] == ["Acme", "More"]
    assert job.providers[0].entry.type == CUSTOM
    assert sorted(job.datasets) == ["sums", "words"]
    assert job.gates == (GateEntry(metric="latency", margin=0.1, undecided="ok"),)
    assert (job.label, job.timeout_s, job.thresholds.min_score) == ("v1", 90, 0.7)


def test_file_of_a_suite_needs_only_a_target(folder: Path) -> None:
    job = read_job(folder / "suite.yaml", Over(targets=["Acme:small"]), {})
    assert (job.shipped, job.gates, job.datasets) == (None, (), {})
    shipped = read_job(Path("everyday"), Over(targets=["Acme:small"]), {})
    assert (shipped.shipped, shipped.suite) == ("everyday", None)
    with pytest.raises(CommandFailed, match="no model to test: name one with --target"):
        read_job(folder / "suite.yaml", Over(), {})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("metric: score", "metrik: score"), r"ci\.yaml:10: gates\.0\.metrik: there is no field"),
        (("margin: 0.05", "margin: 0"), r"ci\.yaml:10: gates\.0\.margin: must be greater than 0"),
        (("Acme:small", "small"), r"ci\.yaml:6: targets\.0.*: must be PROVIDER:MODEL"),
        (("30m", "soon"), r"ci\.yaml:13: timeout: must be a duration"),
        (("{metric: cost", "{metric: score"), "two gates on score"),
        (("sums.jsonl", "none.jsonl"), "the dataset 'sums' does not exist"),
        (("suite: suite.yaml", "suite: none.yaml"), "none.yaml cannot be read"),
    ],
)
def test_faults_of_a_ci_file_are_named(folder: Path, change: tuple[str, str], message: str) -> None:
    file = folder / "ci.yaml"
    file.write_text(CI_FILE.replace(*change))
    with pytest.raises((BadRunFile, BadSuite, CommandFailed), match=message):
        read_job(file, Over(), {"ACME_KEY": KEY})


def test_missing_key_names_its_variable(folder: Path) -> None:
    for environment in ({}, {"ACME_KEY": ""}):
        with pytest.raises(CommandFailed, match="the environment variable ACME_KEY"):
            read_job(folder / "ci.yaml", Over(), environment)


@pytest.mark.parametrize(
    "text",
    [f"name=Acme,key_env={KEY}", f"name=Acme,key={KEY}", f"name=Acme,key_env=A,key_env={KEY}", f"key_env=A{KEY}", KEY],
)
def test_key_in_an_option_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(CommandFailed) as refused:
        provider_of(text)
    assert KEY not in str(refused.value)


def test_key_in_a_ci_file_is_refused_and_not_repeated(folder: Path) -> None:
    file = folder / "ci.yaml"
    file.write_text(CI_FILE.replace("ACME_KEY", KEY))
    with pytest.raises(BadRunFile, match="not the key itself") as refused:
        read_job(file, Over(), {})
    assert KEY not in str(refused.value)


def test_url_of_a_provider_may_contain_commas_and_equals_signs() -> None:
    entry = provider_of("name=A b,url=http://127.0.0.1/v1?x=1,2,type=OPENAI")
    assert (entry.name, entry.url, entry.type) == ("A b", "http://127.0.0.1/v1?x=1,2", "OPENAI")


@pytest.mark.parametrize("text", ["", "0m", "1d", "-5s", "1.5h", "9999999s"])
def test_wrong_durations_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be a duration"):
        seconds_of(text)


@pytest.mark.parametrize("text", ["score=0", "score=11", "=0.1"])
def test_wrong_gates_are_refused(text: str) -> None:
    with pytest.raises(CommandFailed, match="write METRIC=MARGIN"):
        gate_of(text, undecided="fail")


@pytest.mark.parametrize("text", ["Acme", ":x", "Acme:"])
def test_wrong_models_are_refused(text: str) -> None:
    with pytest.raises(CommandFailed, match=r"--target .* must be PROVIDER:MODEL"):
        model_of(text, "--target")

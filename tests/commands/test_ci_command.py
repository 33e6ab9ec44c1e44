"""Test `llmbench ci` on a platform that keeps running, and the end of the command when it is interrupted."""

import asyncio
import json
import shutil
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from xml.etree import ElementTree

import psutil
import pytest
import pytest_asyncio

from tests.commands.process import Llmbench, until_line
from tests.platform import Platform, platform
from tests.servers import open_folder

pytestmark = pytest.mark.asyncio(loop_scope="module")

SUITE = """\
name: Answers
tasks:
  - name: sums
    category: arithmetic
    source: {dataset: sums}
    evaluators:
      - {kind: contains, params: {texts: [Answer]}}
"""
CASES = 24
WriteSuite = Callable[..., Path]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stack() -> AsyncIterator[Platform]:
    async with platform(tasks=1) as opened:
        yield opened


@pytest.fixture
def suite(tmp_path: Path) -> WriteSuite:
    """Return a function that writes a suite's file of the given name, and the file of its dataset."""

    def write(name: str, text: str = SUITE) -> Path:
        rows = ({"id": f"case-{number}", "prompt": f"What is {number} + {number}?"} for number in range(CASES))
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        path = tmp_path / f"{name}.yaml"
        path.write_text(text.replace("Answers", name).replace("dataset: sums", f"dataset: {name}"))
        return path

    return write


def _options(suite: Path, model: str = "mock-0ms-a") -> list[str]:
    dataset = f"{suite.stem}={suite.with_suffix('.jsonl')}"
    return ["ci", str(suite), "--target", f"Mock:{model}", "--dataset", dataset, "--no-check-providers"]


async def test_job_on_a_platform_that_stays_uses_the_baseline_and_the_gates_there(
    llmbench: Llmbench, suite: WriteSuite, stack: Platform, tmp_path: Path
) -> None:
    options = _options(suite("Kept"))
    first = await llmbench(*options, "--name", "First")
    assert first.code == 0, first.err
    assert "dataset Kept: version 1 with 24 cases" in first.err

    lacking = await llmbench(*options, "--baseline", "main")
    assert (lacking.code, "`llmbench baseline promote RUN --suite 'Kept'" in lacking.err) == (1, True)
    chosen = ("--suite", "Kept")
    assert (await llmbench("baseline", "promote", "First", *chosen)).code == 0
    without_gate = await llmbench(*options, "--baseline", "main")
    assert (without_gate.code, "has no gate: `llmbench gate add" in without_gate.err) == (1, True)
    saved = await llmbench("gate", "add", "score", "--margin", "0.3", *chosen)
    assert saved.code == 0, saved.err
    own_gates = await llmbench(*options, "--gate", "score=0.9")
    assert (own_gates.code, "are saved there, for all runs of the suite" in own_gates.err) == (1, True)

    junit, quality, summary = (tmp_path / "reports" / name for name in ("junit.xml", "quality.json", "summary.md"))
    reports = ["--junit", str(junit), "--code-quality", str(quality), "--summary", str(summary)]
    steps = tmp_path / "steps.md"
    steps.write_text("before\n")
    github = Llmbench(stack.url, {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(steps)})
    worse = await github(*_options(suite("Kept"), "mock-0ms-number"), "--baseline", "main", *reports)
    assert worse.code == 100, worse.err
    commands = [line for line in worse.out.splitlines() if line.startswith("::")]
    assert commands[0].startswith("::error file=")
    assert "a loss of 30 points or more is certain" in commands[0]
    assert sum(command.startswith("::warning file=") for command in commands) == 10
    assert all(",line=3,title=sums/case-" in command for command in commands[1:])
    assert steps.read_text() == f"before\n{summary.read_text()}"
    assert "### Changed cases: 24 worse, 0 better; the 20 with the greatest loss" in summary.read_text()
    assert len(json.loads(quality.read_text())) == 11
    cases = ElementTree.parse(junit).getroot().findall(".//testcase")  # we have just written it
    assert len(cases) == CASES

    as_json = await llmbench(*_options(suite("Kept"), "mock-0ms-number"), "--json")
    document = json.loads(as_json.out)
    assert (as_json.code, document["exit_code"], document["changes"]["worse"]) == (100, 100, CASES)
    assert document["url"] == f"{stack.url}/runs/{document['run']['id']}"


async def test_unchanged_files_make_no_new_versions(
    llmbench: Llmbench, suite: WriteSuite, stack: Platform, tmp_path: Path
) -> None:
    options = _options(suite("Same"))
    quality = tmp_path / "quality.json"
    for _ in range(2):
        result = await llmbench(*options, "--code-quality", str(quality))
        assert result.code == 0, result.err
        assert json.loads(quality.read_text()) == []
        assert "suite Same v1" in result.err
    dataset = (await stack.get("/v1/datasets", name="Same"))["datasets"][0]
    assert (dataset["version_count"], dataset["published_version"]) == (1, 1)


async def test_hostile_texts_are_no_commands(suite: WriteSuite, stack: Platform, tmp_path: Path) -> None:
    file = suite("Hostile")
    file.write_text(file.read_text().replace("name: sums", 'name: "::error::x ##[group]"'))
    steps = tmp_path / "steps.md"
    github = Llmbench(stack.url, {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(steps)})
    result = await github(*_options(file, "mock-0ms-hostile"), "--min-score", "1")
    assert result.code == 100, result.err
    shown = (result.out + result.err).splitlines()
    assert [line for line in shown if line.lstrip().startswith("::")] == [
        f"::error file={file},line=1,title=a threshold is missed::mock-0ms-hostile: mean score 0, wanted 1"
    ]
    assert not [line for line in shown if "##[" in line]


async def test_faults_are_annotated_at_their_lines(suite: WriteSuite, stack: Platform) -> None:
    file = suite("Faulty", SUITE.replace("contains", "magic"))
    github = Llmbench(stack.url, {"GITHUB_ACTIONS": "true"})
    result = await github(*_options(file))
    assert result.code == 1
    assert f"::error file={file},line=7,title=llmbench ci::tasks.0.evaluators.0.kind" in result.out
    assert f"{file}:7: tasks.0.evaluators.0.kind" in result.err
    assert "has 1 error; nothing changed" in result.err


async def test_faulty_dataset_names_its_rows(llmbench: Llmbench, suite: WriteSuite) -> None:
    file = suite("Torn")
    rows = file.with_suffix(".jsonl")
    rows.write_text('{"prompt": "a"}\n{"prompt": 3}\n')
    result = await llmbench(*_options(file))
    assert result.code == 1
    assert f"{rows}:2: prompt" in result.err


async def test_provider_of_the_platform_is_not_changed(llmbench: Llmbench, suite: WriteSuite, stack: Platform) -> None:
    options = _options(suite("Providers"))
    before = await stack.get(f"/api/providers/{stack.provider_id}")
    same = await llmbench(*options, "--provider", f"name=Mock,url={stack.provider_url}/")
    assert same.code == 0, same.err
    other = await llmbench(*options, "--provider", "name=Mock,url=http://127.0.0.1:9/v1")
    assert (other.code, "has a provider 'Mock' with another address" in other.err) == (1, True)
    unknown = await llmbench(*options, "--provider", "name=New,type=OLAMA")
    assert (unknown.code, "did you mean 'OLLAMA'?" in unknown.err) == (1, True)
    assert await stack.get(f"/api/providers/{stack.provider_id}") == before


async def test_run_that_takes_too_long_is_cancelled(llmbench: Llmbench, suite: WriteSuite, stack: Platform) -> None:
    await stack.control(model="mock-0ms-late", hold=0)
    result = await llmbench(*_options(suite("Late"), "mock-0ms-late"), "--timeout", "1s", "--name", "Late")
    assert result.code == 1
    assert "the run was not over after 1 s, and was cancelled" in result.err
    (run,) = (await stack.get("/api/runs", q="Late"))["items"]
    assert run["status"] == "CANCELLED"


async def test_signal_cancels_the_run(llmbench: Llmbench, suite: WriteSuite, stack: Platform) -> None:
    await stack.control(model="mock-0ms-held", hold=0)
    process = await llmbench.begin(*_options(suite("Held"), "mock-0ms-held"), "--name", "Held")
    await until_line(process, "Answering")
    process.send_signal(signal.SIGTERM)
    _, err = await process.communicate()
    assert process.returncode == 143, err
    (run,) = (await stack.get("/api/runs", q="Held"))["items"]
    assert run["status"] == "CANCELLED"


async def test_options_that_do_not_fit_are_refused(llmbench: Llmbench, suite: WriteSuite, tmp_path: Path) -> None:
    options = _options(suite("Options"))
    for more, message in (
        (["--baseline-file", "b"], "--baseline-file and --save-baseline need --ephemeral"),
        (["--ephemeral", "--url", "http://127.0.0.1:1"], "leave --url out"),
        (["--ephemeral", "--baseline-file", str(tmp_path / "none")], "a run with --save-baseline makes it"),
        (["--target", "none"], "--target 'none' must be PROVIDER:MODEL"),
        (["--timeout", "soon"], "--timeout 'soon' must be a duration"),
        (["--dataset", "x"], "must be NAME=FILE"),
    ):
        result = await llmbench(*options, *more)
        assert (result.code, message in result.err) == (1, True), result.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_interrupted_ephemeral_job_leaves_nothing(
    suite: WriteSuite, stack: Platform, number: signal.Signals
) -> None:
    model = f"mock-0ms-{number.name.lower()}"
    await stack.control(model=model, hold=0)
    folder = open_folder()
    try:
        # Not preloaded, so that the command's child processes, and their end, are those of a real start.
        llmbench = Llmbench("", {"TMPDIR": str(folder)}, interpreted=True)
        provider = f"name=Mock,url={stack.provider_url}"
        process = await llmbench.begin(*_options(suite("Gone"), model), "--ephemeral", "--provider", provider)
        await until_line(process, "Answering")
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) > 5
        process.send_signal(number)
        _, err = await process.communicate()
        assert process.returncode == 128 + number, err
        assert b"cancelling the run" in err
        _, alive = await asyncio.to_thread(psutil.wait_procs, children, timeout=60)
        assert not alive
        assert list(folder.iterdir()) == []
    finally:
        shutil.rmtree(folder)

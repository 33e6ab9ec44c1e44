"""Test the GitHub action and the GitLab template by running their steps, with the wheel, in a clean environment.

The action must end with each of the four exit codes of a gate, with a baseline that it has saved itself. The template
runs the same command, so one job of the template with a real platform is enough. Its other jobs run a fake `llmbench`.
No job downloads dependencies: the tests add those of their own environment.
"""

import json
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from llmbench_cli.embedded.binaries import checkout, script
from tests.deploy.ci_steps import GitHub, GitLab, Runner, read
from tests.servers import open_folder

KEY = "sk-only-for-this-test-0123456789"
SECRETS = {"MOCK_KEY": KEY}
SERVERS = ("caddy", "nats-server")
SUITE = """\
name: Answers
tasks:
  - name: sums
    category: arithmetic
    source: {dataset: sums}
    epochs: 2
    evaluators:
      - {kind: contains, params: {texts: [Answer]}}
"""
CI_FILE = """\
suite: suite.yaml
datasets: {sums: sums.jsonl}
providers:
  - {name: Mock, url: "%s/openai/v1", key_env: MOCK_KEY}
targets: [Mock:mock-0ms-a]
gates:
  - {metric: score, margin: 0.3}
check_providers: false
"""
CODES = [
    pytest.param("Mock:mock-0ms-a", "score=0.3", "ci.yaml", 0, id="fine"),
    pytest.param("Mock:mock-0ms-number", "score=0.3", "ci.yaml", 100, id="worse"),
    pytest.param("Mock:mock-0ms-number", "score=0.95", "ci.yaml", 101, id="undecided"),
    pytest.param("Mock:mock-0ms-a", "score=0.3", "other.yaml", 102, id="not judged"),
]


@dataclass
class Project:
    """A user's project with a suite of llmbench. Its provider is the mock provider, which requires a key."""

    folder: Path
    wheel: Path
    tools: Path


@pytest.fixture(scope="module")
def project() -> Iterator[Project]:
    if not (checkout() / "web" / "dist" / "index.html").is_file():
        pytest.skip("the web application is not built: make web")
    folder = open_folder()
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder)
        dist = [str(checkout() / "scripts" / "dist.sh"), str(folder), "--without-weights"]
        subprocess.run(dist, check=True, capture_output=True)
        [wheel] = folder.glob("llmbench-*.whl")
        command = [sys.executable, "-m", "benchmarks.mock_provider"]
        mock = stack.enter_context(subprocess.Popen(command, cwd=checkout(), stdout=subprocess.PIPE, text=True))
        stack.callback(mock.terminate)
        assert mock.stdout is not None
        url = mock.stdout.readline().strip()
        tools = folder / "tools"
        tools.mkdir()
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        (tools / "python3").symlink_to(Path(sys.base_prefix) / "bin" / version)
        files = folder / "project"
        files.mkdir()
        (files / "suite.yaml").write_text(SUITE)
        (files / "suite-2.yaml").write_text(SUITE.replace("[Answer]", "[Answer, answer]"))
        (files / "ci.yaml").write_text(CI_FILE % url)
        (files / "other.yaml").write_text((CI_FILE % url).replace("suite.yaml", "suite-2.yaml"))
        rows = [{"id": f"case-{number}", "prompt": f"What is {number} + {number}?"} for number in range(24)]
        (files / "sums.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        yield Project(files, wheel, tools)


@pytest.fixture(scope="module")
def runner(project: Project) -> Iterator[Runner]:
    """Yield a runner whose pip downloads nothing from a package index."""
    folder = open_folder()
    (folder / "tmp").mkdir(mode=0o755)
    yield Runner(folder, project.tools, {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1"})
    shutil.rmtree(folder)


def _complete(environment: Path) -> None:
    """Add llmbench's dependencies to the virtual environment, as if pip had installed them there."""
    packages = environment / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    for name in SERVERS:
        (environment / "bin" / name).symlink_to(script(name))


def _bench(variables: dict[str, str]) -> dict[str, str]:
    """Return the variables with `BENCH_` before each name, because the template's variables have that prefix."""
    return {f"BENCH_{name}": text for name, text in variables.items()}


def _require_clean(runner: Runner, project: Project) -> None:
    """Require that the job has left behind no data of the platform, and no copy of the provider's key."""
    assert list((runner.folder / "tmp").iterdir()) == []
    assert not (runner.folder / ".llmbench").exists()
    for path in project.folder.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path


@pytest.fixture(scope="module")
def github(project: Project, runner: Runner) -> GitHub:
    """Return GitHub's runner after the first job, which saved the baseline."""
    runs = GitHub(runner, project.folder)
    installed = runs.job("Install llmbench", {"package": str(project.wheel)})
    assert installed.code == 0, installed.printed
    _complete(runner.folder / "llmbench")
    inputs = {"file": "ci.yaml", "baseline-file": "github.llmbench", "save-baseline": "true"}
    first = runs.job("Run the suite", inputs, SECRETS)
    assert first.code == 0, first.printed
    assert "this run is the new baseline, in github.llmbench" in first.printed
    return runs


@pytest.mark.parametrize(("target", "gate", "file", "code"), CODES)
def test_steps_of_the_action_end_with_each_code(
    github: GitHub, project: Project, target: str, gate: str, file: str, code: int
) -> None:
    before = (project.folder / "github.llmbench").read_bytes()
    inputs = {"file": file, "targets": f"{target}\n", "gates": gate, "baseline-file": "github.llmbench"}
    ended = github.job("Run the suite", inputs | {"reports": f"reports-{code}"}, SECRETS)
    assert ended.code == code, ended.printed
    outputs = (github.runner.folder / "GITHUB_OUTPUT").read_text().splitlines()
    assert outputs[-1] == f"exit-code={code}"
    commands = [line for line in ended.printed.splitlines() if line.startswith("::")]
    assert bool(commands) is (code != 0)
    assert all(re.match(r"::(error|warning) file=(ci|suite|other)\.yaml,line=\d+,", line) for line in commands)
    reports = project.folder / f"reports-{code}"
    summary = (reports / "summary.md").read_text()
    assert f"exit code {code}\n" in summary
    assert (github.runner.folder / "GITHUB_STEP_SUMMARY").read_text().endswith(summary)
    assert (reports / "junit.xml").read_text().count("<testcase ") == 48
    assert KEY not in ended.printed
    assert (project.folder / "github.llmbench").read_bytes() == before
    _require_clean(github.runner, project)


@pytest.fixture(scope="module")
def gitlab(project: Project) -> Iterator[GitLab]:
    """Yield GitLab's runner, with llmbench installed."""
    folder = open_folder()
    (folder / "tmp").mkdir(mode=0o755)
    runner = Runner(folder, project.tools, {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1"})
    runs = GitLab(runner, project.folder)
    installed = runs.job("before_script", {"BENCH_PACKAGE": str(project.wheel)})
    assert installed.code == 0, installed.printed
    _complete(folder / "llmbench")
    # A job of GitLab begins in a new container. This one keeps what was installed.
    runs.runner.settings = {**runner.settings, "PATH": f"{folder}/llmbench/bin:{project.tools}:/usr/bin:/bin"}
    yield runs
    shutil.rmtree(folder)


def test_script_of_the_template_compares_and_reports(github: GitHub, gitlab: GitLab, project: Project) -> None:
    """The template's job compares with the baseline that the action's first job has saved, and reports the result. The
    action and the template save a baseline in the same form."""
    baseline = github.workspace / "github.llmbench"
    before = baseline.read_bytes()
    variables = {"FILE": "ci.yaml", "TARGETS": "Mock:mock-0ms-number", "GATES": "score=0.3"}
    files = {"BASELINE_FILE": baseline.name, "REPORTS": "gitlab-reports"}
    ended = gitlab.job("script", _bench(variables | files), SECRETS)
    assert ended.code == 100, ended.printed
    assert "::" not in re.sub(r"\S::\S", "", ended.printed)
    reports = project.folder / "gitlab-reports"
    quality = json.loads((reports / "code-quality.json").read_text())
    assert quality
    assert {entry["location"]["path"] for entry in quality} <= {"ci.yaml", "suite.yaml"}
    assert len({entry["fingerprint"] for entry in quality}) == len(quality)
    assert "exit code 100\n" in (reports / "summary.md").read_text()
    assert KEY not in ended.printed
    assert baseline.read_bytes() == before
    _require_clean(gitlab.runner, project)


@pytest.mark.parametrize("code", [0, 1, 2, 100, 101, 102])
def test_templates_end_with_the_code_of_the_command(tmp_path: Path, code: int) -> None:
    runner = _printing(tmp_path, code)
    github = GitHub(runner, tmp_path).job("Run the suite", {"file": "a.yaml"})
    gitlab = GitLab(runner, tmp_path).job("script", {"BENCH_FILE": "a.yaml"})
    assert (github.code, gitlab.code) == (code, code)
    assert (tmp_path / "GITHUB_OUTPUT").read_text() == f"exit-code={code}\n"


@pytest.mark.parametrize("save", ["true", "false"])
def test_baseline_is_saved_only_on_request(tmp_path: Path, save: str) -> None:
    inputs = {"file": "a.yaml", "baseline-file": "base.llmbench", "save-baseline": save}
    variables = _bench({name.upper().replace("-", "_"): text for name, text in inputs.items()})
    runner = _printing(tmp_path)
    for ended in (
        GitHub(runner, tmp_path).job("Run the suite", inputs),
        GitLab(runner, tmp_path).job("script", variables),
    ):
        arguments = ended.printed.splitlines()
        assert "<--baseline-file=base.llmbench>" in arguments
        assert ("<--save-baseline=base.llmbench>" in arguments) is (save == "true")


GH = """#!/bin/bash
case "$*" in
  *--paginate*) echo "$EARLIER" ;;
  *) printf '%s\\n' "$4 $5" "$(cat "${7#body=@}")" >>"$RUNNER_TEMP/sent" ;;
esac
"""


@pytest.mark.parametrize(
    ("earlier", "request_line"),
    [("", "POST repos/acme/app/issues/7/comments"), ("41", "PATCH repos/acme/app/issues/comments/41")],
    ids=["first", "replaced"],
)
def test_summary_is_one_comment_of_the_pull_request(tmp_path: Path, earlier: str, request_line: str) -> None:
    """The step writes its summary as one comment: a new one, or in place of an earlier one. A fake `gh` records the
    requests that it would send to GitHub."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "gh").write_text(GH)
    (tools / "gh").chmod(0o755)
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "summary.md").write_text("## worse\n$(touch attacked)\n")
    variables = {"REPOSITORY": "acme/app", "PULL_REQUEST": "7", "GH_TOKEN": KEY, "EARLIER": earlier}
    inputs = {"file": "a --> b.yaml", "reports": "reports"}
    ended = GitHub(Runner(tmp_path, tools), tmp_path).job("Comment on the pull request", inputs, variables)
    assert ended.code == 0, ended.printed
    sent = (tmp_path / "sent").read_text().splitlines()
    assert sent[0] == request_line
    assert re.fullmatch(r"<!-- llmbench [0-9a-f]{16} -->", sent[1])
    assert sent[2:] == ["## worse", "$(touch attacked)"]
    assert not (tmp_path / "attacked").exists()


def test_job_without_a_summary_comments_nothing(tmp_path: Path) -> None:
    ended = GitHub(Runner(tmp_path, tmp_path), tmp_path).job("Comment on the pull request", {"file": "a.yaml"})
    assert (ended.code, ended.printed) == (0, "There is no summary to comment.\n")


def _printing(folder: Path, code: int = 0) -> Runner:
    """Return a runner with a fake `llmbench`, which prints its arguments and ends with this exit code."""
    tools = folder / "tools"
    tools.mkdir()
    (tools / "llmbench").write_text(f'#!/bin/sh\nprintf "<%s>\\n" "$@"\nexit {code}\n')
    (tools / "llmbench").chmod(0o755)
    return Runner(folder, tools)


def test_inputs_reach_no_script_as_text() -> None:
    """The scripts of the action contain no expressions such as `${{ inputs.… }}`. GitHub replaces them before the shell
    reads the script, so the text of an input could run as a command."""
    scripts = [step["run"] for step in read("action.yml")["runs"]["steps"] if "run" in step]
    assert len(scripts) == 3
    assert not [script for script in scripts if "${{" in script]


def test_options_with_spaces_and_quotes_stay_whole(tmp_path: Path) -> None:
    runner = _printing(tmp_path)
    attack = "$(touch attacked) `id` ; exit 3"
    inputs = {"file": "-f.yaml", "targets": f"A b:c\n\n{attack}\n", "options": "--name=x y"}
    github = GitHub(runner, tmp_path).job("Run the suite", inputs)
    gitlab = GitLab(runner, tmp_path).job("script", _bench({name.upper(): text for name, text in inputs.items()}))
    expected = ["<--target=A b:c>", f"<--target={attack}>", "<--timeout=30m>", "<--name=x y>", "<-->", "<-f.yaml>"]
    for shown in (github, gitlab):
        assert shown.code == 0, shown.printed
        assert set(expected) <= set(shown.printed.splitlines())
    assert not (tmp_path / "attacked").exists()

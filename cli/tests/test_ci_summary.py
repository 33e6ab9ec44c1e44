"""Test the summary and the findings of a CI job.

The summary shows a limited number of changed cases side by side. A finding names the line of the gate or task in its
file.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from llmbench_cli.ci.findings import Level, findings
from llmbench_cli.ci.outcome import ChangedCase, Changes, Outcome, Side
from llmbench_cli.ci.summary import summary
from llmbench_cli.ci.wanted import Job, Over, read_job
from llmbench_cli.exit_codes import ExitCode

SUITE = """\
name: Sums
tasks:
  - name: sums
    source: {dataset: sums}
  - name: words
    source: {dataset: words}
"""
HOSTILE = "```\n</td></table></details>\n<img src=x onerror=a>\n::error::x\n````\n@octocat"
PAIR = {
    "label": "small",
    "mean": -0.5,
    "interval": {"low": -0.6, "high": -0.4},
    "verdict": "worse",
}
GATE = {
    "label": "main",
    "role": "both",
    "metric": "score",
    "task": None,
    "title": "mean score",
    "relative": False,
    "margin": 0.05,
    "verdict": "worse",
    "passed": False,
    "sentence": "mean score \N{MINUS SIGN}50.0 points: a loss of 5 points is certain.",
    "baseline_run_name": "First",
    "pairs": [PAIR],
}
STOPPED: dict[str, Any] = GATE | {
    "verdict": "the judge changed",
    "sentence": "It gives 10 stored answers of 'First' 0.300 less.",
    "pairs": [],
    "judge_check": {"run_id": "r", "answers": 10, "repeats": 2, "shift": -0.3, "p": 1.7e-05, "changed": True},
}
SCORE = {"score": 0.5, "interval": {"low": 0.4, "high": 0.6}}
TARGET: dict[str, Any] = {
    "label": "small",
    **SCORE,
    "completeness": None,
    "tasks": [{"task": "sums", **SCORE}, {"task": "words", **SCORE}],
}
SCORES: dict[str, Any] = {
    "name": "Sums",
    "version_number": 2,
    "tasks": [{"name": "sums"}, {"name": "words"}],
    "targets": [TARGET],
}
RUN: dict[str, Any] = {
    "name": "Sums v2",
    "counts": {"items": 48, "failed": 1},
    "cost_usd": 0.25,
    "unpriced_calls": 0,
    "gate": {"verdict": "worse", "passed": False},
    "gates": [GATE],
}
BASELINE = {"label": "main", "run": {"id": "1", "name": "First"}, "anchor": {"id": "1", "name": "First"}}


def _case(number: int = 0, answer: str = HOSTILE) -> ChangedCase:
    return ChangedCase(
        target="small",
        task="words",
        name=f"words/case-{number}",
        question="What is *this*?",
        difference=-1.0,
        before=Side(1.0, "fine", None),
        here=Side(0.0, answer, None),
    )


def _outcome(*cases: ChangedCase, worse: int | None = None) -> Outcome:
    changes = Changes(cases, len(cases) if worse is None else worse, 0)
    return Outcome(ExitCode.MISSED, ["worse: against main: mean score -0.500"], RUN, SCORES, BASELINE, changes)


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Job:
    (tmp_path / "suite.yaml").write_text(SUITE)
    (tmp_path / "ci.yaml").write_text(
        "suite: suite.yaml\ntargets: [Acme:small]\ngates:\n  - {metric: cost, margin: 0.1}\n  - {margin: 0.05}\n"
    )
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    return read_job(tmp_path / "ci.yaml", Over(), {})


def test_summary_names_the_verdict_the_scores_and_the_gates() -> None:
    written = summary(_outcome())
    assert written.startswith("## ❌ Sums v2: worse than the baseline\n")
    assert "- Compared with main: First\n" in written
    assert "- 48 answers, 1 failed, $0.25; exit code 100\n" in written
    assert "| **suite** | **50% [40, 60]** |" in written
    assert "| mean score | 0.05 | baseline | small | -0.500 [-0.600, -0.400] | **worse** |" in written
    assert "No case has another score than in the baseline." in written


def test_changed_cases_are_side_by_side_and_inert() -> None:
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(summary(_outcome(_case())))
    blocks = [token.content for token in tokens if token.type == "fence"]
    assert blocks == ["What is *this*?\n", "fine\n", f"{HOSTILE}\n"]
    written = [token.content for token in tokens if token.type == "html_block"]
    assert written == [
        "<details><summary>▼ words/case-0, small: 1.00 → 0.00</summary>\n",
        "<table><tr><th>baseline</th><th>this run</th></tr><tr><td>\n",
        "</td><td>\n",
        "</td></tr></table>\n</details>\n",
    ]
    assert not [child for token in tokens for child in token.children or () if child.type == "html_inline"]


def test_summary_is_bounded() -> None:
    cases = [_case(number, "word " * 100_000) for number in range(20)]
    long = "x" * 255
    targets = [{**TARGET, "label": f"{long}{number}"} for number in range(100)]
    tasks = [{"name": f"t{number}"} for number in range(100)]
    outcome = replace(
        _outcome(*cases, worse=1234),
        suite={**SCORES, "targets": targets, "tasks": tasks},
        run={**RUN, "gates": [{**GATE, "pairs": [PAIR] * 1_000}]},
        reasons=["reason"] * 1_000,
    )
    written = summary(outcome)
    assert len(written.encode()) < 200_000
    assert "### Changed cases: 1234 worse, 0 better; the 20 with the greatest loss" in written
    assert "- 90 more targets" in written


def test_failed_answer_is_shown_by_its_reason() -> None:
    case = replace(_case(), here=Side(None, None, "the provider refused | it"))
    assert r"the provider refused \| it" in summary(_outcome(case))


def test_findings_are_at_the_lines_of_gates_and_tasks(job: Job) -> None:
    found = findings(job, _outcome(*(_case(number) for number in range(15))))
    assert [(each.level, each.path, each.line, each.check) for each in found[:2]] == [
        (Level.ERROR, "ci.yaml", 5, "gate"),
        (Level.WARNING, "suite.yaml", 5, "case"),
    ]
    assert len(found) == 11
    assert found[1].title == "words/case-0: 1.00 → 0.00"


def test_without_gates_the_reasons_are_findings(job: Job) -> None:
    run = {**RUN, "gate": None, "gates": []}
    missed = Outcome(ExitCode.MISSED, ["small: mean score 0.5, wanted 1"], run, SCORES)
    assert [(each.level, each.title, each.message) for each in findings(job, missed)] == [
        (Level.ERROR, "a threshold is missed", "small: mean score 0.5, wanted 1")
    ]
    assert findings(job, Outcome(ExitCode.OK, [], run, SCORES)) == []


@pytest.mark.parametrize(
    ("code", "gates", "headline"),
    [
        (ExitCode.OK, [], "passed"),
        (ExitCode.OK, [GATE], "no loss beyond the margins"),
        (ExitCode.UNDECIDED, [GATE], "undecided"),
        (ExitCode.LOW_COVERAGE, [GATE], "not judged"),
        (ExitCode.LOW_COVERAGE, [STOPPED], "the judge changed"),
        (ExitCode.REFUSED, [], "a gate cannot be relied on"),
        (ExitCode.FAILED, [], "failed"),
    ],
)
def test_headline_follows_from_the_code(code: ExitCode, gates: list[Any], headline: str) -> None:
    gate = {"verdict": gates[0]["verdict"]} if gates else None
    assert Outcome(code, [], {**RUN, "gate": gate, "gates": gates}, SCORES).headline == headline


def test_summary_shows_how_the_judge_changed(job: Job) -> None:
    run = {**RUN, "gate": {"verdict": STOPPED["verdict"]}, "gates": [STOPPED]}
    text = summary(Outcome(ExitCode.LOW_COVERAGE, [STOPPED["sentence"]], run, SCORES))
    assert "the judge changed" in text.splitlines()[0]
    assert "judged again, 2 times each" in text
    assert "**the judge changed**" in text

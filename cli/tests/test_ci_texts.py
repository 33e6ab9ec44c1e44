"""Test that texts of models and of other people are plain text in the reports of a CI job, whatever they contain."""

import io
import json
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from benchmarks.mock_provider.hostile import ACTIVE
from llmbench_cli.ci.annotations import code_quality, github_command, harmless
from llmbench_cli.ci.findings import Finding, Level
from llmbench_cli.ci.guard import Guarded, guarded_output
from llmbench_cli.ci.markdown import fenced, in_html, inert

TEXTS = st.text(alphabet=st.one_of(st.sampled_from("`:#[]%,\r\n <>|*_!@\\~=-"), st.characters()), max_size=80)
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")


def _kinds(markdown: str) -> set[str]:
    tokens = MARKDOWN.parse(markdown)
    return {token.type for token in tokens} | {child.type for token in tokens for child in token.children or ()}


@given(TEXTS)
def test_fence_holds_any_text(text: str) -> None:
    block = fenced(text, most=1_000)
    tokens = MARKDOWN.parse(f"<td>\n\n{block}\n\n</td>\n")
    assert [token.type for token in tokens] == ["html_block", "fence", "html_block"]
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    assert len(block.partition("\n")[0]) > longest


def test_fenced_text_is_cut() -> None:
    assert fenced("x" * 50, most=10).splitlines()[1] == "xxxxxxxxxx …"


@given(TEXTS)
def test_inert_text_has_no_markup(text: str) -> None:
    assert _kinds(f"| a |\n| --- |\n| x{inert(text)}x |\n") <= {
        *("table_open", "thead_open", "tr_open", "th_open", "inline", "th_close", "tr_close", "thead_close"),
        *("tbody_open", "td_open", "td_close", "tbody_close", "table_close", "text"),
    }


@pytest.mark.parametrize(
    "attack", [*ACTIVE, "![x](https://e.example/x.png)", "[a](javascript:x)", "<https://e.example>"]
)
def test_attacks_stay_text(attack: str) -> None:
    assert _kinds(f"- {inert(attack)}\n") <= {
        *("bullet_list_open", "list_item_open", "paragraph_open", "inline", "text", "text_special"),
        *("paragraph_close", "list_item_close", "bullet_list_close"),
    }
    summary = f"<details><summary>{in_html(attack, most=1_000)}</summary>\n\n</details>\n"
    assert not re.search("<(?!/?(details|summary)>)", summary)


def test_people_are_not_mentioned() -> None:
    assert "@octocat" not in inert("thanks @octocat") + in_html("thanks @octocat", most=100)
    assert "#12" not in inert("see #12")


def _finding(text: str) -> Finding:
    return Finding(Level.ERROR, text, 3, "gate", text, text, text)


@given(TEXTS)
def test_annotation_is_one_command_with_the_given_texts(text: str) -> None:
    command = github_command(_finding(text))
    assert not {"\r", "\n"} & set(command)
    found = re.fullmatch(r"::error file=([^,:]*),line=3,title=([^,:]*)::(.*)", command, re.DOTALL)
    assert found
    names = {"%3A": ":", "%2C": ",", "%0D": "\r", "%0A": "\n", "%25": "%"}
    read = [re.sub("%(3A|2C|0D|0A|25)", lambda code: names[code[0]], part) for part in found.groups()]
    assert read == [text, text, text]


@given(TEXTS)
def test_printed_text_has_no_command(text: str) -> None:
    shown = harmless(text)
    assert not any(line.lstrip().startswith("::") for line in re.split("[\r\n]", shown))
    assert "##[" not in shown


@given(st.lists(TEXTS, max_size=5))
def test_guarded_stream_has_no_command_however_it_is_written(parts: list[str]) -> None:
    stream = io.StringIO()
    guarded = Guarded(stream)
    for part in parts:
        guarded.write(part)
    guarded.flush()
    assert stream.getvalue() == harmless("".join(parts))


def test_only_meant_commands_reach_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    with guarded_output(sys.stdout) as commands:
        print("::stop-commands::x")
        print(" ##[add-path]y", file=sys.stderr)
        print("::error::meant", file=commands)
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [": :stop-commands::x", "::error::meant"]
    assert shown.err == " # #[add-path]y\n"


def test_code_quality_report_has_stable_fingerprints() -> None:
    report = json.loads(code_quality([_finding("a"), _finding("b")]))
    again = json.loads(code_quality([_finding("b")]))
    assert report[1]["fingerprint"] == again[0]["fingerprint"] != report[0]["fingerprint"]
    assert report[0] == {
        "description": "a: a",
        "check_name": "llmbench-gate",
        "fingerprint": report[0]["fingerprint"],
        "severity": "major",
        "location": {"path": "a", "lines": {"begin": 3}},
    }

"""Test `llmbench run` from a file to an exit code, on a real platform."""

import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from llmbench_cli.embedded.ports import free_port
from tests.commands.conftest import WriteFile
from tests.commands.process import Llmbench, until_line
from tests.commands.relay import losing_relay
from tests.platform import Platform

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_complete_run_prints_its_figures_and_exits_with_0(llmbench: Llmbench, run_file: WriteFile) -> None:
    result = await llmbench("run", run_file("mock-0ms-a", "mock-0ms-b"))
    assert result.code == 0, result.err
    assert "From a file  complete" in result.out
    assert "mock-0ms-a          6/6" in result.out
    assert "Answering  12/12" in result.err
    assert "Judging    12/12" in result.err
    assert "\x1b" not in result.out + result.err


async def test_json_option_prints_only_one_document_on_stdout(
    llmbench: Llmbench, run_file: WriteFile, stack: Platform
) -> None:
    path = run_file("mock-0ms-a", more="tags: [nightly]\nepochs: 2\nparams: {temperature: 0.5, stop: [END]}\n")
    result = await llmbench("run", path, "--json", "--min-pass-rate", "0")
    assert result.code == 0, result.err
    run = json.loads(result.out)
    assert (run["outcome"], run["tags"], run["totals"]["items"]) == ("complete", ["nightly"], 12)
    assert run["targets"][0]["params"]["temperature"] == 0.5
    assert run["targets"][0]["params"]["stop"] == ["END"]
    assert run["url"] == f"{stack.url}/runs/{run['id']}"
    assert run["verdict"]["exit_code"] == 0
    assert run["verdict"]["min_pass_rate"] == 0
    assert run["results"] == (await stack.get(f"/api/runs/{run['id']}"))["results"]


async def test_missed_threshold_exits_with_100(llmbench: Llmbench, run_file: WriteFile) -> None:
    path = run_file("mock-0ms-a", more="thresholds: {min_score: 1}\n")
    result = await llmbench("run", path, "--json")
    assert result.code == 100
    score = json.loads(result.out)["results"][0]["mean_score"]
    assert json.loads(result.out)["verdict"]["reasons"] == [f"mock-0ms-a: mean score {score:.3g}, wanted 1"]
    # Options override the file.
    assert (await llmbench("run", path, "--min-score", "0")).code == 0


async def test_failed_items_exit_with_1_unless_allowed(llmbench: Llmbench, run_file: WriteFile) -> None:
    path = run_file("mock-0ms-a", "mock-0ms-404")
    result = await llmbench("run", path, "--min-score", "0")
    assert result.code == 1
    assert "6 of 12 items failed" in result.err
    assert "Failed: 6" in result.out
    assert "not found" in result.out
    assert (await llmbench("run", path, "--allow-partial")).code == 0
    result = await llmbench("run", path, "--allow-partial", "--min-score", "0")
    assert result.code == 100
    assert "mock-0ms-404: mean score nothing, wanted 0" in result.err


async def test_ctrl_c_stops_watching_but_not_the_run(llmbench: Llmbench, run_file: WriteFile, stack: Platform) -> None:
    # Not preloaded, so that the signal meets the handlers of a real start.
    process = await replace(llmbench, interpreted=True).begin("run", run_file("mock-1s-slow", more="epochs: 100\n"))
    await until_line(process, "/runs/")
    await until_line(process, "Answering")
    process.send_signal(signal.SIGINT)
    out, err = await process.communicate()
    assert process.returncode == 130
    assert out == b""
    newest = (await stack.get("/api/runs", limit=1))["items"][0]
    assert f"`llmbench watch {newest['id']}`" in err.decode()
    assert newest["status"] == "RUNNING"

    refused = await llmbench("run", run_file("mock-0ms-a"))
    assert refused.code == 1
    assert f"end it with `llmbench cancel {newest['id']}`" in refused.err

    assert (await llmbench("pause", "last")).code == 0
    await stack.until_status(newest["id"], "PAUSED")
    assert "running" in (await llmbench("resume", newest["id"][:13])).out
    assert "cancelled" in (await llmbench("cancel", newest["id"][-12:])).out
    watched = await llmbench("watch", "last")
    assert watched.code == 1
    assert "the run is cancelled" in watched.err


async def test_queued_runs_start_in_their_order_and_can_be_moved(
    llmbench: Llmbench, run_file: WriteFile, stack: Platform
) -> None:
    await stack.control(model="mock-0ms-held", hold=0)
    active = (await llmbench("run", run_file("mock-0ms-held", name="Active"), "--detach")).out.split()[0]
    ids = []
    for name, options in {"Patient": ["--queue"], "Urgent": ["--priority", "5"]}.items():
        result = await llmbench("run", run_file("mock-0ms-a", name=name), "--detach", *options)
        assert result.code == 0, result.err
        ids.append(result.out.split()[0])
    assert "queued (2)" in (await llmbench("list", "--status", "queued")).out
    moved = await llmbench("move", ids[0])
    assert "Patient: number 1 in the queue, priority 5; " in moved.out
    watching = await llmbench.begin("watch", ids[1])
    await until_line(watching, "number 2 in the queue, priority 5; ")
    await stack.control(model="mock-0ms-held", hold=None)
    await watching.communicate()
    assert watching.returncode == 0
    runs = [await stack.until_status(run_id, "FINISHED") for run_id in (active, *ids)]
    assert [run["started_at"] for run in runs] == sorted(run["started_at"] for run in runs)


async def test_sample_of_the_command_line_overrides_that_of_the_file(llmbench: Llmbench, run_file: WriteFile) -> None:
    path = run_file("mock-0ms-a", more="sample: {size: 5, seed: 1}\n")
    result = await llmbench("run", path, "--sample", "3", "--sample-strategy", "stratified", "--json")
    assert result.code == 0, result.err
    run = json.loads(result.out)
    assert {name: run["sample"][name] for name in ("size", "strategy", "seed", "taken", "of")} == {
        "size": 3,
        "strategy": "stratified",
        "seed": 1,
        "taken": 3,
        "of": 6,
    }
    assert "sample: 3 of 6 cases, stratified, seed 1" in (await llmbench("show", run["id"])).out
    result = await llmbench("run", run_file("mock-0ms-a"), "--sample-seed", "3")
    assert (result.code, result.err) == (
        1,
        "llmbench: --sample-strategy and --sample-seed need --sample, or a sample in the file\n",
    )


async def test_detach_option_prints_id_and_url(llmbench: Llmbench, run_file: WriteFile, stack: Platform) -> None:
    result = await llmbench("run", run_file("mock-0ms-a"), "--detach")
    assert result.code == 0
    id_, url = result.out.splitlines()
    assert url == f"{stack.url}/runs/{id_}"
    watched = await llmbench("watch", id_, "--json")
    assert watched.code == 0
    assert json.loads(watched.out)["id"] == id_


async def test_lost_response_does_not_start_a_second_run(
    llmbench: Llmbench, run_file: WriteFile, stack: Platform
) -> None:
    before = len((await stack.get("/api/runs", limit=500))["items"])
    async with losing_relay(stack.url, request=b"POST /api/runs ") as (url, seen):
        result = await llmbench("run", run_file("mock-0ms-a"), "--url", url)
    assert result.code == 0, result.err
    assert "sending the same request again" in result.err
    keys = [line for request in seen for line in request.split(b"\r\n") if line.lower().startswith(b"idempotency-key")]
    assert len(seen) == 2
    assert len(set(keys)) == 1
    assert len((await stack.get("/api/runs", limit=500))["items"]) == before + 1


async def test_faults_are_printed_with_their_line_of_the_run_file(llmbench: Llmbench, run_file: WriteFile) -> None:
    path = run_file("mock-0ms-a", more="baseline: nothing-like-it\nepochs: 0\n")
    result = await llmbench("run", path)
    assert result.code == 1
    assert f"{path}:7: baseline: there is no run 'nothing-like-it'" in result.err

    # A problem that the platform reports about the request is shown at the line of the file that caused it.
    result = await llmbench("run", run_file("mock-0ms-a", more="epochs: 0\n"))
    assert result.code == 1
    assert result.err == f"llmbench: {path}:7: epochs: must be at least 1\n"


async def test_baseline_may_be_given_by_name(llmbench: Llmbench, run_file: WriteFile, stack: Platform) -> None:
    first = await llmbench("run", run_file("mock-0ms-a", name="The first of two"), "--json")
    second = await llmbench("run", run_file("mock-0ms-a", more="baseline: The first of two\n"), "--json")
    assert json.loads(second.out)["baseline_run_id"] == json.loads(first.out)["id"]


async def test_parallel_groups_of_the_command_line_override_those_of_the_file(
    llmbench: Llmbench, run_file: WriteFile
) -> None:
    path = run_file("mock-0ms-a", more="parallel_groups: 2\n")
    for options, expected in {(): 2, ("--parallel-groups", "3"): 3}.items():
        run = json.loads((await llmbench("run", path, "--json", *options)).out)
        assert run["limits"]["parallel_groups"] == expected


async def test_preset_supplies_settings_that_the_file_omits(
    llmbench: Llmbench, run_file: WriteFile, stack: Platform, tmp_path: Path
) -> None:
    settings = (
        "--max-concurrent-calls",
        "3",
        "--timeout-seconds",
        "45",
        "--max-retries",
        "1",
        "--max-conversation-history",
        "4",
        "--parallel-groups",
        "2",
    )
    result = await llmbench("presets", "create", "careful", *settings)
    assert (result.code, result.out) == (0, "✓ Preset 'careful'\n"), result.err
    assert "45 s" in (await llmbench("presets", "list")).out
    path = run_file("mock-0ms-a", more="preset: careful\nmax_attempts: 5\n")
    run = json.loads((await llmbench("run", path, "--json")).out)
    assert run["limits"] | {"max_backoff_s": 0} == {
        "concurrency": 3,
        "timeout_s": 45,
        "max_attempts": 5,
        "max_conversation_history": 4,
        "max_backoff_s": 0,
        "parallel_groups": 2,
    }

    config = tmp_path / "llm_eval_config.json"
    model = {"name": "hr", "endpoint": stack.provider_url, "api_key": "sk-0123456789abcdef", "model_type": "custom"}
    config.write_text(json.dumps({"evaluation_models": [model], "settings": {"timeout_seconds": 11}}))
    result = await llmbench("presets", "import", str(config), "--name", "imported")
    assert result.code == 0, result.err
    assert "✓ evaluation model hr of the provider 'hr'" in result.out
    again = json.loads((await llmbench("run", path, "--json", "--preset", "imported")).out)
    assert again["limits"]["timeout_s"] == 11, "before the file's own"

    assert "did you mean 'careful'?" in (await llmbench("run", run_file("mock-0ms-a", more="preset: carefull\n"))).err
    assert (await llmbench("presets", "delete", "careful")).code == 0
    assert (await llmbench("presets", "delete", "careful")).code == 1


async def test_generated_questions_become_a_draft_and_unsupported_ones_are_listed(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    path = tmp_path / "Leave.md"
    path.write_text("\f".join(f"Rule {page}: leave is requested\n{page} weeks ahead. " * 11 for page in range(1, 5)))
    assert (await llmbench("documents", "add", str(path))).out == "✓ Added Leave.md: text, 4 pages, 1,848 characters\n"
    turn = {"question": "When?", "ground_truth": "2 weeks ahead.", "passage": "leave is requested 2 weeks ahead."}
    both = [{"turns": [turn, turn | {"question": "And now?"}]}, {"turns": [turn | {"passage": "30 days of leave"}]}]
    says = [
        {"when": ["Rule 1:"], "say": "Sorry, I cannot do that."},
        {"when": ["Rule 2:"], "say": "```json\n" + json.dumps({"conversations": both}) + "\n```"},
        {"when": ["Rule 3:"], "as": "mock-0ms-404"},
    ]
    await stack.control(model="writer", **{"as": "mock-0ms"}, says=says)
    wanted = ("--model", "Mock:writer", "--chunk-characters", "500", "--turns", "2", "--no-check-providers")
    result = await llmbench("documents", "generate", "Leave.md", *wanted)
    assert result.code == 0, result.err
    refused = [line for line in result.out.splitlines() if line.startswith("✗")]
    assert [line.partition(" (writer)")[0] for line in refused] == [f"✗ Leave.md-000{at}" for at in range(1, 5)]
    assert "The answer is not JSON" in refused[0]
    assert refused[1].endswith("conversation 2: turn 1 quotes what does not stand in the document: '30 days of leave'")
    # Without a script, the mock only follows the JSON schema, so it quotes a passage that is not in the document.
    assert "conversation 1: turn 1 quotes what does not stand in the document" in refused[3]
    assert "✓ Draft: version 1 of Leave.md: questions with 2 cases, 4 refused" in result.out

    again = json.loads(
        (await llmbench("documents", "draft", "last", "--dataset", "Again", "--closed-book", "--json")).out
    )
    assert (again["version"]["status"], again["version"]["row_count"], len(again["refused"])) == ("DRAFT", 2, 4)
    cases = [
        json.loads(line) for line in (await llmbench("datasets", "export", "Leave.md: questions")).out.splitlines()
    ]
    assert [case["id"] for case in cases] == ["Leave.md-0002.1.1", "Leave.md-0002.1.2"]
    assert [(case["conversation_id"], case["turn"]) for case in cases] == [
        ("Leave.md-0002.1", 1),
        ("Leave.md-0002.1", 2),
    ]
    assert (cases[0]["metadata"]["page"], cases[0]["metadata"]["passage"]) == (2, "leave is requested 2 weeks ahead")
    assert cases[0]["context"].startswith("Rule 2:")
    assert "context" not in json.loads((await llmbench("datasets", "export", "Again")).out.splitlines()[0])

    asked = [call for call in await stack.ledger() if call["model"] == "writer" and "Rule 2:" in call["prompt"]]
    assert len(asked) == 1
    assert (await llmbench("datasets", "publish", "Leave.md: questions")).code == 0
    version = json.loads((await llmbench("datasets", "list", "--q", "questions", "--json")).out)[0]["dataset_id"]
    published = await stack.get(f"/v1/datasets/{version}/versions/1")
    run_id = await stack.start_run(
        "mock-0ms-a", collection_ids=[], dataset_version_ids=[published["version_id"]], name="About leave"
    )
    assert (await stack.until_status(run_id, "FINISHED"))["counts"]["judged"] == 2
    await stack.control(model="writer", **{"as": None})


async def test_terminal_shows_a_progress_bar_and_no_color_disables_colours(
    llmbench: Llmbench, run_file: WriteFile
) -> None:
    # Not preloaded, so that the interpreter itself finds the terminal.
    coloured = await replace(llmbench, interpreted=True).on_terminal("run", run_file("mock-20ms-a"))
    assert coloured.code == 0
    assert "━" in coloured.out
    assert "\x1b[32m" in coloured.out
    plain = await Llmbench(llmbench.url, {"NO_COLOR": "1"}).on_terminal("run", run_file("mock-20ms-a"))
    assert "━" in plain.out
    assert "\x1b[3" not in plain.out


async def test_unreachable_platform_is_reported_in_one_line(run_file: WriteFile) -> None:
    nowhere = Llmbench(f"http://127.0.0.1:{free_port()}")
    for arguments in (("run", run_file("mock-0ms-a")), ("list",), ("watch", "last"), ("export", "last")):
        result = await nowhere(*arguments)
        assert result.code == 1
        assert result.err.startswith(f"llmbench: nothing answers at {nowhere.url}: start the platform")
        assert len(result.err.splitlines()) == 1


async def test_evaluate_scores_a_single_output_or_a_file(llmbench: Llmbench, stack: Platform, tmp_path: Path) -> None:
    sum_ = ("--input", "17 + 25?", "--output", "It is 42.", "--expected", "42")
    contains = ("--evaluator", '{"kind": "contains", "params": {"text": "42"}}')
    judge = ("--judge", "mock-0ms", "--provider", "Mock")
    result = await llmbench("evaluate", *sum_, *contains, "-m", "relevance", *judge)
    assert result.code == 0, result.err
    assert "relevance" in result.out
    assert "contains" in result.out
    result = await llmbench("evaluate", *sum_, "-m", "exact_match", "--min-score", "0.5", "--json")
    assert (result.code, json.loads(result.out)["scores"]) == (100, {"exact_match": 0})

    file = tmp_path / "outputs.jsonl"
    rows = [{"id": f"sum-{index}", "question": f"{index} + 1?", "output": f"{index + 1}"} for index in range(5)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = await llmbench("evaluate", str(file), *contains, "-m", "rubric", *judge, "--model", "mine")
    assert result.code == 0, result.err
    assert "mine" in result.out
    run = (await stack.get("/api/runs", type="BATCH"))["items"][0]
    assert (run["counts"]["judged"], [evaluator["name"] for evaluator in run["evaluators"]]) == (
        5,
        ["rubric", "contains"],
    )

    file.write_text('{"question": "?"}\n')
    result = await llmbench("evaluate", str(file), *contains)
    assert result.code == 1
    assert f"{file}:1: output: is missing" in result.err
    assert "Nothing was evaluated: 1 of 1 rows are bad" in result.err
    assert (await llmbench("evaluate", str(file), *sum_)).code == 2


async def test_gate_is_checked_before_the_run_and_decided_after_it(
    llmbench: Llmbench, run_file: WriteFile, stack: Platform
) -> None:
    contains = "evaluators: [{kind: contains, params: {text: Answer}}]\n"
    assert (await llmbench("run", run_file("mock-0ms-a", name="The baseline", more=contains))).code == 0

    def gated(gate: str, model: str = "mock-0ms-a", name: str = "Gated") -> str:
        more = f"{contains}baseline: The baseline\ngate: {gate}\nthresholds: {{allow_partial: true}}\n"
        return run_file(model, name=name, more=more)

    before = len((await stack.get("/api/runs"))["items"])
    weak = await llmbench("run", gated("{metric: score, margin: 0.05}"))
    assert (weak.code, weak.out) == (2, "")
    assert "nothing was started: mock-0ms-a: Against itself" in weak.err
    unknown = await llmbench("run", gated("{metric: charm, margin: 0.9}"))
    assert (unknown.code, "no evaluator 'charm'" in unknown.err) == (2, True)
    bad = await llmbench("run", gated("{metric: score, margin: 0, margine: 2}"))
    assert (bad.code, "gate.margin" in bad.err, "did you mean 'margin'?" in bad.err) == (1, True, True)
    assert len((await stack.get("/api/runs"))["items"]) == before, "none was started"

    forced = await llmbench("run", gated("{margin: 0.05, force: true}"), "--json")
    assert forced.code == 101, forced.err
    assert json.loads(forced.out)["verdict"]["gate"]["state"] == "undecided"
    assert "undecided: mean score" in forced.err
    assert (await llmbench("run", gated("{margin: 0.05, force: true, undecided: ok}"))).code == 0
    # All answers of the mock contain the text, so they pass. Refused answers count as 0.
    lost = await llmbench("run", gated("{margin: 0.05, force: true}", model="mock-0ms-refuse", name="Refusing"))
    assert lost.code in (1, 100), lost.err
    alone = run_file("mock-0ms-a", more="gate: {margin: 0.1}\n")
    result = await llmbench("run", alone)
    assert (result.code, "a gate needs a baseline" in result.err) == (1, True)

"""Test `llmbench prompt` and `llmbench experiment`: from a template to a run, and from a plan to a decision record."""

import json
from pathlib import Path

import pytest

from tests.commands.process import Llmbench
from tests.platform import Platform

pytestmark = pytest.mark.asyncio(loop_scope="module")

EXPERIMENT = """\
name: A larger model
hypothesis: The larger model is right more often.
type: MODEL_COMPARISON
primary_metric: right
config: {method: sequential, maximum_sample_size: 40, round_size: 8, seed: 5}
variants:
  - {name: small, is_control: true, config: {model: {provider: Mock 2, name: ash-1b}}}
  - {name: large, config: {model: {provider: Mock 2, name: ash-2b}}}
collections: [Sums 2]
evaluators:
  - {kind: contains, name: right, params: {texts: [right]}}
"""


async def test_prompt_is_made_compared_previewed_and_used_by_a_run(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    user, variables = tmp_path / "user.txt", tmp_path / "variables.yaml"
    user.write_text("{{question}}\nAnswer {{tone}}.\n")
    first = await llmbench("prompt", "create", "Brief", "--user", str(user))
    assert (first.code, first.out) == (0, "✓ Prompt 'Brief' v1\n"), first.err
    again = await llmbench("prompt", "create", "Brief", "--user", str(user))
    assert again.out == "✓ Prompt 'Brief' v1, unchanged\n"
    variables.write_text("- {name: tone, default: in one word}\n")
    second = await llmbench("prompt", "create", "Brief", "--user", str(user), "--variables", str(variables))
    assert second.out == "✓ Prompt 'Brief' v2\n", second.err
    assert "tone" in (await llmbench("prompt", "list")).out
    assert json.loads((await llmbench("prompt", "show", "Brief", "--version", "1", "--json")).out)["number"] == 1
    changes = (await llmbench("prompt", "diff", "Brief", "1")).out.splitlines()
    assert {"-tone: string, required", '+tone: string, default "in one word"'} <= set(changes)

    seen = await llmbench("prompt", "preview", "Brief", "--collection", "Sums", "--limit", "1")
    assert seen.code == 0, seen.err
    assert "Answer in one word." in seen.out
    missing = await llmbench("prompt", "preview", "Brief", "--collection", "Sums", "--version", "1")
    assert (missing.code, "no 'tone' in its metadata" in missing.out) == (1, True)

    file = tmp_path / "run.yaml"
    target = "targets: [{provider: Mock, model: mock-0ms-a, prompt: Brief, prompt_version: %d}]\n"
    rest = "collections: [Sums]\nevaluators: [{kind: contains, params: {texts: [a]}}]\ncheck_providers: false\n"
    file.write_text(target % 1 + rest)
    refused = await llmbench("run", str(file), "--detach")
    assert "no 'tone' in its metadata" in refused.err
    assert "run.yaml:1: targets.0.prompt" in refused.err
    file.write_text(target % 2 + rest)
    run_id = (await llmbench("run", str(file), "--detach")).out.split()[0]
    run = await stack.until_status(run_id, "FINISHED")
    assert run["targets"][0]["prompt"]["number"] == 2

    experiment = tmp_path / "prompts.yaml"
    model = "model: {provider: Mock, name: mock-0ms-a}"
    experiment.write_text(
        "name: Two versions\nprimary_metric: score\ncollections: [Sums]\nvariants:\n"
        f"  - {{name: one, is_control: true, config: {{{model}, prompt: Brief}}}}\n"
        f"  - {{name: two, config: {{{model}, prompt: Brief@3}}}}\n"
    )
    unknown = await llmbench("experiment", "create", str(experiment))
    assert "prompts.yaml:6: variants.1.config.prompt: the prompt 'Brief' has no version 3" in unknown.err
    experiment.write_text(experiment.read_text().replace("Brief@3", "Brief@1"))
    made = await llmbench("experiment", "create", str(experiment), "--json")
    assert made.code == 0, made.err
    chosen = [variant["config"]["prompt_version_id"] for variant in json.loads(made.out)["variants"]]
    versions = [json.loads((await llmbench("prompt", "show", "Brief", "--version", n, "--json")).out) for n in "21"]
    assert chosen == [version["id"] for version in versions]
    assert (await stack.http.delete(f"/v1/experiments/{json.loads(made.out)['experiment_id']}")).status_code == 204
    assert (await llmbench("prompt", "delete", "Brief")).code == 0


async def test_experiment_is_planned_run_watched_and_concluded(
    llmbench: Llmbench, stack: Platform, tmp_path: Path
) -> None:
    file = tmp_path / "larger.yaml"
    await stack.seed(tasks=40)
    await stack.control(model="ash-1b", **{"as": "mock-0ms", "says": [{"when": [], "say": "It is wrong."}]})
    await stack.control(model="ash-2b", **{"as": "mock-0ms", "says": [{"when": [], "say": "It is right."}]})

    file.write_text(EXPERIMENT.replace("large, config", "small, config"))
    refused = await llmbench("experiment", "create", str(file))
    assert refused.code == 1
    assert "larger.yaml:8: variants.1.name: another variant is called 'small'" in refused.err
    file.write_text(EXPERIMENT.replace("[Sums 2]", "[Nothing]"))
    assert "'Nothing'" in (await llmbench("experiment", "plan", str(file))).err
    assert "no experiments" in (await llmbench("experiment", "list")).err

    file.write_text(EXPERIMENT)
    planned = await llmbench("experiment", "plan", str(file))
    assert planned.code == 0, planned.err
    assert "planned: 40 of each variant" in planned.out
    assert "80 calls in at most 5 rounds" in planned.out
    assert json.loads((await llmbench("experiment", "plan", str(file), "--json")).out)["judge_calls"] == 0
    file.write_text(EXPERIMENT.replace("A larger model", "A draft"))
    drafted = await llmbench("experiment", "create", str(file))
    assert (drafted.code, drafted.err) == (0, "the experiment 'A draft' is created as a draft\n")
    too_early = await llmbench("experiment", "watch", "A draft")
    assert (too_early.code, "has not started" in too_early.err) == (1, True)
    file.write_text(EXPERIMENT)
    created = await llmbench("experiment", "create", str(file), "--start")
    assert (created.code, created.err) == (0, "the experiment 'A larger model' is started\n")
    watched = await llmbench("experiment", "watch", "A larger model")
    assert watched.code == 0, watched.err
    assert "look 1, 8 of 40" in watched.err
    assert "of the planned calls were not made" in watched.err
    assert "stopped (decided)" in (await llmbench("experiment", "list", "--status", "paused")).out
    results = await llmbench("experiment", "results", "A larger model")
    assert "small (control)" in results.out
    assert "large" in results.out
    again = await llmbench("experiment", "resume", "A larger model")
    assert (again.code, "has stopped by its rule" in again.err) == (1, True)

    run = next(each for each in (await stack.get("/api/runs"))["items"] if each["experiment"])
    shown = await llmbench("show", run["id"])
    assert "experiment: A larger model" in shown.out

    unknown = await llmbench("experiment", "conclude", "A larger model", "--winner", "huge")
    assert (unknown.code, "is neither `no_winner` nor a variant" in unknown.err) == (1, True)
    concluded = await llmbench("experiment", "conclude", "A larger model", "--winner", "large", "--notes", "Ship it.")
    assert concluded.code == 0, concluded.err
    assert (await llmbench("experiment", "conclude", "A larger model", "--winner", "large")).code == 1
    record = await llmbench("experiment", "record", "A larger model")
    assert "**winner large**" in record.out
    assert "Ship it." in record.out
    assert json.loads((await llmbench("experiment", "record", "A larger model", "--json")).out)
    assert "winner: large" in (await llmbench("experiment", "list")).out

"""Test `llmbench prompt`: versions, their difference, a preview, and a run whose target has a prompt."""

import json
from pathlib import Path

import pytest

from tests.commands.process import Llmbench
from tests.platform import Platform

pytestmark = pytest.mark.asyncio(loop_scope="module")


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
    assert (await llmbench("prompt", "delete", "Brief")).code == 0

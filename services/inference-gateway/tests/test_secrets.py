"""Test that secret headers reach the provider, but no event, row, log or error text."""

import json
import logging
from pathlib import Path

import pytest
from gateway_world import MASTER_KEY, World

from llmbench.contracts.list_models import ListModels, ModelsListed
from llmbench.contracts.outcome import Answered, Rejected

KEY = "sk-test-4f9c2b7a1e8d3065"


@pytest.mark.shows("S-05")
async def test_secrets_are_sent_but_never_shown(world: World, tmp_path: Path) -> None:
    provider = await world.add_provider(secrets={"Authorization": f"Bearer {KEY}"}, plain={"X-Team": "blue"})
    log = tmp_path / "gateway.log"
    async with world.gateway_process(log):
        told = (await world.ask(world.command("mock-0ms-leak", provider=provider))).outcome
        answered = (await world.ask(world.command("mock-0ms", provider=provider))).outcome
    assert isinstance(answered, Answered)
    assert isinstance(told, Rejected)
    # The mock repeats the header in its answer. This shows that the header was sent, and that it is redacted.
    assert "Authorization: •••" in told.message
    stored = json.dumps([dict(row) for row in await world.rows()], default=str)
    published = "".join(event.model_dump_json() for event in world.events)
    for text in (stored, published, log.read_text()):
        assert KEY not in text
        assert MASTER_KEY not in text


async def test_corrected_key_works_with_the_next_call(world: World, caplog: pytest.LogCaptureFixture) -> None:
    # The master key opens this other secret: if it opened no stored secret, the gateway would not start.
    await world.add_provider(secrets={"X-Key": KEY})
    provider = await world.add_provider()
    await world.seal(provider, "Authorization", f"Bearer {KEY}", master_key="another master key, of the same length")
    with caplog.at_level(logging.DEBUG):
        async with world.gateway():
            locked = (await world.ask(world.command(provider=provider))).outcome
            assert isinstance(locked, Rejected)
            assert locked.cause == "unauthorized"
            assert "MASTER_KEY is not the one" in locked.message
            listed = ModelsListed.model_validate_json(await world.request(ListModels(provider=provider)))
            assert listed.cause == "secrets"
            assert not await world.ledger()
            await world.seal(provider, "Authorization", f"Bearer {KEY}")
            assert isinstance((await world.ask(world.command(provider=provider))).outcome, Answered)
    assert KEY not in caplog.text


@pytest.mark.shows("I-24", "S-06")
async def test_secret_is_not_sent_to_another_origin(world: World) -> None:
    provider = await world.add_provider(secrets={"Authorization": f"Bearer {KEY}"})
    moved = provider.model_copy(update={"base_url": world.provider_url.replace("127.0.0.1", "localhost")})
    elsewhere = provider.model_copy(update={"inference_endpoint": "http://elsewhere.invalid/v1/chat/completions"})
    async with world.gateway():
        assert (await world.ask(world.command(provider=moved))).outcome.kind == "rejected"
        refused = (await world.ask(world.command(provider=elsewhere))).outcome
        assert isinstance(refused, Rejected)
        assert "another origin" in refused.message
    assert not await world.ledger()


async def test_invalid_secret_header_is_reported_without_its_value(world: World) -> None:
    provider = await world.add_provider(secrets={"Authorization": f"Bearer {KEY}\nX-Evil: 1"})
    async with world.gateway():
        outcome = (await world.ask(world.command(provider=provider))).outcome
    assert isinstance(outcome, Rejected)
    assert "headers cannot be sent" in outcome.message
    assert KEY not in outcome.message

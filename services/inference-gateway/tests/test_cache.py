"""Test the reuse of answers: a question is paid for once per epoch, and a reused answer is marked as such."""

from typing import Any

import pytest
from gateway_world import World
from listener import Listener

from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.outcome import Answered
from llmbench.contracts.provider import ModelPrice, ProviderSnapshot
from llmbench.contracts.run_state import RunGate
from llmbench.ids import DEFAULT_ORG_ID
from llmbench.organisation import working_for

pytestmark = pytest.mark.never_rerun

PRICE = ModelPrice(model="mock-40ms-think", input_usd_per_million=1000, output_usd_per_million=1000)


@pytest.fixture
def priced(world: World) -> ProviderSnapshot:
    return world.provider.model_copy(update={"prices": (PRICE,)})


def question(world: World, provider: ProviderSnapshot, **more: Any) -> GenerateCompletion:
    return world.command("mock-40ms-think", provider=provider, **({"use_cache": True} | more))


async def answered(world: World, command: GenerateCompletion) -> Answered:
    outcome = (await world.ask(command)).outcome
    assert isinstance(outcome, Answered)
    return outcome


@pytest.mark.shows("I-19")
async def test_same_question_reuses_the_answer_at_no_cost(world: World, priced: ProviderSnapshot) -> None:
    async with world.gateway():
        first = question(world, priced)
        paid = await answered(world, first)
        second = question(world, priced)
        again = await answered(world, second)
        third = await answered(world, question(world, priced, run_id=await world.add_run()))
        # The repeated command finds the call under its own id.
        await world.send(second)
        assert (await world.finished(second.call_id, number=2)).outcome == again
    assert len(await world.ledger()) == 1
    assert (paid.cached, again.cached, third.cached) == (False, True, True)
    assert paid.cost is not None
    assert again.cost is not None
    assert (paid.cost.usd > 0, again.cost.usd, again.cost.source) == (True, 0.0, "own_price")
    assert (again.preview, again.usage, again.timings) == (paid.preview, paid.usage, paid.timings)
    rows = {row["id"]: row for row in await world.rows()}
    assert rows[first.call_id]["cached_from"] is None
    taken = rows[second.call_id]
    assert (taken["cached_from"], taken["epoch"]) == (first.call_id, 1)
    assert (taken["content"], taken["reasoning"]) == (rows[first.call_id]["content"], "Let me think about this.")
    assert [row["cached_from"] for row in rows.values()].count(first.call_id) == 2, "never from a copy"


@pytest.mark.shows("I-19")
async def test_different_question_is_not_answered_from_the_cache(world: World, priced: ProviderSnapshot) -> None:
    elsewhere = await world.add_provider(base_url=f"{world.provider_url}/ollama")
    async with world.gateway():
        await answered(world, question(world, priced))
        others = [
            question(world, priced, epoch=2),
            question(world, priced, prompt="And 17 + 26?"),
            question(world, priced, options={"top_k": 1}),
            question(world, elsewhere),
            question(world, priced, use_cache=False),
            question(world, priced, purpose=Purpose.WARM_UP),
        ]
        for other in others:
            assert not (await answered(world, other)).cached
    assert len(await world.ledger()) == 1 + len(others)
    assert sorted(row["epoch"] for row in await world.rows()) == [1] * 6 + [2]


@pytest.mark.shows("S-28")
async def test_answer_is_reused_only_within_its_organisation(world: World) -> None:
    other_id = await world.add_organisation()
    theirs = await world.add_provider(org_id=other_id)
    run_id = await world.add_run(other_id)
    async with world.gateway():
        first = question(world, world.provider)
        await answered(world, first)
        with working_for(other_id):
            paid = await answered(world, question(world, theirs, run_id=run_id))
            again = await answered(world, question(world, theirs, run_id=run_id))
        mine = await answered(world, question(world, world.provider))
    assert (paid.cached, again.cached, mine.cached) == (False, True, True)
    rows = await world.rows()
    owners = {row["id"]: row["org_id"] for row in rows}
    assert sorted(owners.values()) == sorted([DEFAULT_ORG_ID, other_id] * 2)
    assert all(owners[row["cached_from"]] == row["org_id"] for row in rows if row["cached_from"])


@pytest.mark.shows("S-28")
async def test_command_of_another_organisation_gets_no_secret(world: World) -> None:
    other_id = await world.add_organisation()
    run_id = await world.add_run(other_id)
    async with Listener().running() as listener, world.gateway():
        provider = await world.add_provider(
            base_url=f"http://127.0.0.1:{listener.port}", secrets={"Authorization": "a-key-of-the-first-organisation"}
        )
        await world.ask(question(world, provider, use_cache=False))
        with working_for(other_id):
            await world.ask(question(world, provider, run_id=run_id, use_cache=False))
    sent = [listener.header("authorization", number) for number in range(len(listener.sent))]
    assert sent == [["a-key-of-the-first-organisation"], []]


@pytest.mark.shows("S-28")
async def test_answer_to_another_key_of_the_provider_is_not_reused(world: World) -> None:
    provider = await world.add_provider(secrets={"Authorization": "the-key-of-one-account"})
    async with world.gateway():
        assert not (await answered(world, question(world, provider))).cached
        assert (await answered(world, question(world, provider))).cached
        await world.seal(provider, "Authorization", "the-key-of-another-account")
        assert not (await answered(world, question(world, provider))).cached
        assert (await answered(world, question(world, provider))).cached


async def test_failure_is_not_reused_and_a_closed_gate_applies_to_cached_answers(world: World) -> None:
    async with world.gateway():
        first = world.command("mock-0ms-500first1", use_cache=True)
        assert (await world.ask(first)).outcome.kind == "unavailable"
        second = world.command("mock-0ms-500first1", use_cache=True)
        assert not (await answered(world, second)).cached
        await world.gate(RunGate.CLOSED)
        third = world.command("mock-0ms-500first1", use_cache=True)
        assert (await world.ask(third)).outcome.kind == "not_started"


async def test_adaptation_to_a_model_does_not_change_the_cache_key(world: World) -> None:
    """The first call is adapted to the model after a refusal. A restarted gateway does not know this adaptation yet,
    but still finds the stored answer of the first call."""
    for expected in (False, True):
        async with world.gateway():
            outcome = await answered(world, world.command("mock-0ms-nostreamoptions", use_cache=True))
        assert outcome.cached == expected
    assert len(await world.ledger()) == 2, "refused, answered; then taken again"

"""Test that a key which a provider repeats in an answer is neither stored nor published nor shown."""

import base64
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

import pytest
from aiohttp import web
from gateway_world import World

from inference_gateway.domain.draft import Draft, ReportedError
from inference_gateway.domain.redaction import MARK, Redaction, redact, redacted
from llmbench.contracts.list_models import ListModels, ModelsListed
from llmbench.contracts.outcome import Answered, Citation, Outcome, Refused

KEY = 'sk-"test/4f9c+2b7a=1e8d3065'
SECRETS = {"Authorization": f"Bearer {KEY}", "X-Pin": "4821"}
BASE64 = base64.b64encode(f"key={KEY}".encode()).decode()
ESCAPED = json.dumps(KEY)[1:-1]


@pytest.mark.parametrize(
    ("said", "clean"),
    [
        (f"Bearer {KEY}!", f"{MARK}!"),
        (f"{KEY} and {KEY}", f"{MARK} and {MARK}"),
        (f"?key={quote(KEY, safe='')}&", f"?key={MARK}&"),
        (json.dumps({"key": KEY}), json.dumps({"key": MARK}, ensure_ascii=False)),
        # A short secret would match unrelated words.
        ("The PIN is 4821.", "The PIN is 4821."),
        ("Nothing here.", "Nothing here."),
        (f"It is {KEY[:15]}…", f"It is {MARK}…"),
    ],
)
def test_secret_is_removed_in_every_encoding(said: str, clean: str) -> None:
    redaction = Redaction(SECRETS.values())
    assert redaction.text(said) == clean
    assert redaction.count == clean.count(MARK)


@pytest.mark.parametrize("before", range(4))
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode], ids=["standard", "url_safe"])
def test_secret_within_base64_is_removed(before: int, encode: Any) -> None:
    text = encode(b"x" * before + KEY.encode() + b"?rest").decode()
    clean = Redaction([KEY]).text(text)
    assert MARK in clean
    # At its ends, a few characters encode the secret's bits together with other bytes; these characters remain.
    assert len(clean) - len(MARK) <= len(text) - len(KEY) * 4 // 3 + 2


def test_password_is_removed_also_without_its_user() -> None:
    header = f"Basic {base64.b64encode(b'someone:correct-horse-battery').decode()}"
    assert Redaction([header]).text("It is correct-horse-battery.") == f"It is {MARK}."


def test_short_secret_is_removed_from_error_messages() -> None:
    assert redacted("401: wrong PIN 4821", ["4821"]) == f"401: wrong PIN {MARK}"


@pytest.mark.shows("S-11")
def test_every_stored_part_of_an_answer_is_redacted() -> None:
    draft = Draft(
        content=[KEY[:9], KEY[9:]],
        reasoning=[KEY],
        refusal=[KEY],
        finish_reason=KEY,
        model=KEY,
        error=ReportedError(KEY, 400),
        citations=(Citation(document=KEY, section=KEY, relevance=0.5),),
        notes=[KEY],
        meta={"id": KEY, KEY: [{"deep": KEY}], "created": 1700000000},
    )
    draft.calls.add([{"id": "1", "function": {"name": KEY, "arguments": f'{{"key": "{ESCAPED[:7]}'}}])
    draft.calls.add([{"id": "1", "function": {"arguments": f'{ESCAPED[7:]}", "n": 1}}'}}])
    redact(draft, redaction := Redaction([KEY]))
    assert KEY not in repr(asdict(draft)) + draft.calls.as_json()
    assert draft.calls.as_json() == f'{{"tool_calls":[{{"arguments":{{"key":"{MARK}","n":1}},"name":"{MARK}"}}]}}'
    assert draft.meta["created"] == 1700000000
    assert redaction.count == 14


def test_token_probabilities_that_spell_a_secret_are_dropped() -> None:
    draft = Draft(content=["9"], first_tokens=[(KEY[:10], {}), (KEY[10:], {})])
    draft.last_tokens.append(("9", {"9": -0.1, KEY: -3.0}))
    redact(draft, redaction := Redaction([KEY]))
    assert (draft.first_tokens, list(draft.last_tokens), redaction.count > 0) == ([], [], True)


def test_answer_without_a_secret_is_unchanged() -> None:
    draft = Draft(content=["4", "2"], meta={"id": "a", "timings": {"ms": 1.5}}, first_tokens=[("4", {"4": -0.1})])
    redact(draft, redaction := Redaction([KEY]))
    assert (draft.content, draft.meta, redaction.count) == (["4", "2"], {"id": "a", "timings": {"ms": 1.5}}, 0)
    assert len(draft.first_tokens) == 1


def _event(**delta: Any) -> bytes:
    return b"data: " + json.dumps({"id": KEY, "choices": [{"index": 0, "delta": delta}]}).encode() + b"\n\n"


async def _complete(request: web.Request) -> web.StreamResponse:
    """Repeat the key from the request's header, in the kind of answer that the model's name selects."""
    key = request.headers["Authorization"].removeprefix("Bearer ")
    kind = (await request.json())["model"]
    message: dict[str, Any] = {"role": "assistant", "content": f"Your key is {key}."}
    if kind == "stream":
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        # Each character is one event, and the chunks split the events at arbitrary bytes.
        said = b"".join(_event(reasoning_content=character) for character in f"I was sent {key}, so ")
        said += b"".join(_event(content=character) for character in f"<b>{key}</b> {BASE64}")
        said += b'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
        for start in range(0, len(said), 700):
            await response.write(said[start : start + 700])
        return response
    if kind == "error":
        return web.json_response({"error": {"message": f"{key} may not do that"}}, status=400)
    if kind == "refusal":
        message = {"role": "assistant", "content": None, "refusal": f"I won't do that for {key}."}
    if kind == "tools":
        arguments = json.dumps({"key": key, "b64": BASE64})
        message["tool_calls"] = [{"id": "1", "function": {"name": "leak", "arguments": arguments}}]
    usage = {"prompt_tokens": 1, "completion_tokens": 2}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return web.json_response({"id": key, "model": key, "choices": [choice], "usage": usage})


async def _models(request: web.Request) -> web.Response:
    key = request.headers["Authorization"].removeprefix("Bearer ")
    return web.json_response({"data": [{"id": "model-a"}, {"id": f"of-{key}"}]})


@contextlib.asynccontextmanager
async def echoing_provider() -> AsyncIterator[str]:
    """Run a provider that repeats the key of each request in its answer. Yield its URL."""
    app = web.Application()
    app.router.add_post("/v1/chat/completions", _complete)
    app.router.add_get("/v1/models", _models)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def _redactions(outcome: Outcome) -> int | None:
    return outcome.redactions if isinstance(outcome, Answered | Refused) else None


@pytest.mark.shows("I-25", "S-11")
async def test_repeated_key_is_neither_stored_nor_published(world: World) -> None:
    async with echoing_provider() as url, world.gateway():
        provider = await world.add_provider(base_url=url, secrets=SECRETS)
        kinds = ("stream", "whole", "tools", "refusal", "error")
        outcomes = [(await world.ask(world.command(kind, provider=provider))).outcome for kind in kinds]
        listed = ModelsListed.model_validate_json(await world.request(ListModels(provider=provider)))
    assert [outcome.kind for outcome in outcomes] == ["answered", "answered", "answered", "refused", "rejected"]
    assert listed.models == ("model-a", f"of-{MARK}")
    rows = {row["model"]: row for row in await world.rows()}
    shown = rows["stream"]["content"], rows["stream"]["reasoning"]
    assert shown[0].startswith(f"<b>{MARK}</b> ")
    assert shown[1] == f"I was sent {MARK}, so "
    assert json.loads(rows["tools"]["content"].splitlines()[-1])["tool_calls"][0]["arguments"]["key"] == MARK
    assert rows["refusal"]["content"] == f"I won't do that for {MARK}."
    # The counts include the answer's id and the model's name, which contain the key, too.
    assert [_redactions(outcome) for outcome in outcomes] == [4, 3, 5, 3, None]
    stored = json.dumps([dict(row) for row in rows.values()], default=str)
    published = "".join(event.model_dump_json() for event in world.events)
    for text in (stored, published):
        for spelling in (KEY, ESCAPED, json.dumps(ESCAPED)[1:-1], BASE64, BASE64[6:-4]):
            assert spelling not in text


async def test_key_in_the_users_own_request_options_is_not_redacted(world: World) -> None:
    """The stored request keeps the text of the options. The gateway redacts only texts from the provider, because the
    characters of the key may be ordinary text in a request."""
    async with echoing_provider() as url, world.gateway():
        provider = await world.add_provider(base_url=url, secrets=SECRETS)
        outcome = (await world.ask(world.command("whole", provider=provider, options={"user": "4821"}))).outcome
    assert isinstance(outcome, Answered)
    (row,) = await world.rows()
    assert json.loads(row["request"])["body"]["user"] == "4821"

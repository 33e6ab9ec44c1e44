"""Test that an answer is published while it arrives, if the command asks for that, and never with a secret."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from gateway_world import World, until
from nats.aio.msg import Msg

from inference_gateway.domain.draft import Draft
from inference_gateway.domain.redaction import Redaction
from inference_gateway.handlers.live_answer import PUBLISH_EVERY_S, watch_of
from llmbench.contracts.answer_streamed import AnswerStreamed
from llmbench.contracts.chat import ChatMessage, ChatRequest
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.outcome import Answered
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.messaging.fence import fence

KEY = "sk-live-0123456789abcdef"


class Told:
    """A fake of the port `LiveAnswers`. It records the messages that the gateway publishes."""

    def __init__(self) -> None:
        self.messages: list[AnswerStreamed] = []

    def publish(self, message: AnswerStreamed) -> None:
        self.messages.append(message)


def command(*, live: bool = True) -> GenerateCompletion:
    return GenerateCompletion(
        call_id=uuid4(),
        run_id=uuid4(),
        group="group",
        group_id=uuid4(),
        purpose=Purpose.ITEM,
        item_id=uuid4(),
        dispatch=1,
        provider=ProviderSnapshot(
            provider_id=uuid4(),
            name="Mock",
            type="OPENAI",
            base_url="http://mock",
            models_endpoint="/v1/models",
            inference_endpoint="/v1/chat/completions",
        ),
        request=ChatRequest(model="m", messages=(ChatMessage(role="user", content="Hi"),)),
        timeout_s=1,
        live=live,
    )


def steps(step_s: float) -> Iterator[float]:
    now = 0.0
    while True:
        yield now
        now += step_s


def test_messages_are_limited_in_number_and_have_the_text_so_far() -> None:
    told, times = Told(), steps(PUBLISH_EVERY_S / 2)
    watch = watch_of(command(), told, (), lambda: next(times))
    assert watch is not None
    draft = Draft()
    for word in ("The ", "answer ", "is ", "42."):
        draft.add(content=word, at_s=0.1)
        watch(draft)
    assert [message.content for message in told.messages] == ["The ", "The answer is "]


def test_command_that_is_not_live_is_not_watched() -> None:
    assert watch_of(command(live=False), Told(), ()) is None


@pytest.mark.parametrize("size", range(1, len(KEY) + 1))
def test_no_message_has_the_beginning_of_a_secret(size: int) -> None:
    told, times = Told(), steps(1)
    watch = watch_of(command(), told, (f"Bearer {KEY}",), lambda: next(times))
    assert watch is not None
    draft = Draft()
    for start in range(0, len(KEY), size):
        draft.add(content=f"Your key: {KEY[:size]}" if not start else KEY[start : start + size], at_s=0.1)
        watch(draft)
    assert all("sk-" not in message.content for message in told.messages)
    draft.add(content=" is here.", at_s=0.2)
    watch(draft)
    assert told.messages[-1].content == "Your key: ••• is here."


def test_end_that_begins_no_secret_is_shown() -> None:
    assert Redaction((KEY,)).unfinished("The end s-") == "The end s-"
    assert Redaction((KEY,)).unfinished("The end s") == "The end "


async def test_streamed_answer_is_published_before_it_is_finished(world: World) -> None:
    heard: list[AnswerStreamed] = []

    async def hear(message: Msg) -> None:
        heard.append(AnswerStreamed.model_validate_json(message.data))

    await world.nats.subscribe(f"ctl.answer.{world.run_id}", cb=hear)
    await fence(world.nats)
    async with world.gateway():
        asked = world.command("mock-1s-tokens200", live=True)
        finished = await world.ask(asked)
        await until(lambda: bool(heard), "a message about the answer")
    assert isinstance(finished.outcome, Answered)
    (row,) = await world.rows()
    assert {message.item_id for message in heard} == {asked.item_id}
    assert all(row["content"].startswith(message.content) for message in heard)

"""Use every subject with each NATS login: only the operations granted to the login succeed.

The subjects come from the message contracts, so new messages are included.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import nats
import pytest
from nats.aio.client import Client

from llmbench.contracts.base import Message
from llmbench.contracts.registry import messages
from llmbench.messaging.broker import inbox_prefix
from llmbench_cli.embedded.nats import LOGINS, VIEWER
from llmbench_cli.embedded.services import SERVICES, with_login

PASSWORD = "only-for-tests"
FOR_NOBODY = "nobody.may.use.this"
RUN = "0193a000-0000-7000-8000-000000000001"

# For each kind of subject, the logins that may publish and those that may subscribe. Commands and reports have no
# subscribers: they are read from streams.
TRAFFIC: dict[str, tuple[set[str], set[str]]] = {
    "cmd.infer.": ({"orchestrator", "judge"}, set()),
    "cmd.judge.": ({"orchestrator"}, set()),
    "evt.call.": ({"inference-gateway"}, {"judge", VIEWER}),
    "evt.score.": ({"judge"}, {VIEWER}),
    "evt.run.": ({"orchestrator"}, {"gateway-ws", VIEWER}),
    "evt.experiment.": ({"orchestrator"}, {"gateway-ws", VIEWER}),
    "evt.config.": ({"config-api"}, {"config-api", "orchestrator", VIEWER}),
    "ctl.group.": ({"orchestrator"}, {"inference-gateway"}),
    "ctl.answer.": ({"inference-gateway"}, {"gateway-ws"}),
    "ctl.identity.": ({"identity"}, {"gateway-ws"}),
    "req.provider.": ({"config-api", "orchestrator"}, {"inference-gateway"}),
    "req.evaluator.": ({"config-api", "orchestrator"}, {"judge"}),
    "req.call.": ({"judge"}, {"inference-gateway"}),
    "req.run.events": ({"gateway-ws"}, {"orchestrator"}),
    "req.run.answers.": ({"config-api"}, {"orchestrator"}),
}
# The orchestrator also subscribes to the status events of runs, but to no other run events.
ALSO_LISTENS = {("orchestrator", f"evt.run.{RUN}.status")}
# JetStream and system operations that no service may perform. `ONLY` lists others, with the logins that may.
NEVER = (
    *("$JS.API.STREAM.DELETE.other", "$JS.API.STREAM.MSG.DELETE.EVENTS"),
    *("$JS.API.STREAM.MSG.DELETE.REPORTS", "$JS.API.STREAM.MSG.GET.REPORTS"),
    *("$JS.API.STREAM.SNAPSHOT.EVENTS", "$JS.API.STREAM.RESTORE.EVENTS", "$JS.API.ACCOUNT.PURGE.x"),
    *("$SYS.REQ.SERVER.PING", "$SYS.REQ.USER.INFO", "$JS.API.STREAM.MSG.GET.COMMANDS", "$JS.API.STREAM.MSG.GET.EVENTS"),
    *("$JS.API.CONSUMER.MSG.NEXT.EVENTS.mine", "$JS.API.CONSUMER.CREATE.EVENTS.mine"),
)
ONLY = {
    "$JS.API.STREAM.DELETE.COMMANDS": {"orchestrator"},
    "$JS.API.STREAM.DELETE.EVENTS": {"orchestrator"},
    "$JS.API.STREAM.DELETE.REPORTS": {"orchestrator"},
    "$JS.API.STREAM.DELETE.KV_run_state": {"orchestrator"},
    "$JS.API.STREAM.UPDATE.COMMANDS": {"orchestrator"},
    "$JS.API.STREAM.UPDATE.EVENTS": {"orchestrator"},
    "$JS.API.STREAM.PURGE.COMMANDS": {"orchestrator"},
    "$JS.API.CONSUMER.DELETE.COMMANDS.infer-x": {"orchestrator"},
    "$JS.API.CONSUMER.MSG.NEXT.COMMANDS.infer-x": {"orchestrator", "inference-gateway"},
    "$JS.API.CONSUMER.MSG.NEXT.COMMANDS.judge": {"orchestrator", "judge"},
    "$JS.API.STREAM.UPDATE.REPORTS": {"orchestrator"},
    "$JS.API.CONSUMER.DELETE.EVENTS.orchestrator-calls": {"orchestrator"},
    "$JS.API.CONSUMER.MSG.NEXT.REPORTS.orchestrator-calls": {"orchestrator"},
    f"$KV.run_state.{RUN}": {"orchestrator"},
}


def subjects() -> list[str]:
    """Return one subject of each message type."""
    found = [message.model_validate(message.EXAMPLES[0]) for message in messages().values()]
    assert all(isinstance(message, Message) for message in found)
    return sorted({message.subject() for message in found})


def traffic(subject: str) -> tuple[set[str], set[str]]:
    (entry,) = [entry for start, entry in TRAFFIC.items() if subject.startswith(start)]
    return entry


@contextlib.asynccontextmanager
async def client_and_refusals(nats_url: str, login: str) -> AsyncIterator[tuple[Client, Callable[[], Awaitable[str]]]]:
    """Yield a client of this login, and a function that returns the refusals so far.

    The function publishes to a forbidden subject and waits for that refusal. The server answers in order, so all
    earlier refusals have arrived.
    """
    refusals: list[str] = []
    last = asyncio.Event()

    async def refused(error: Exception) -> None:
        refusals.append(str(error).lower())
        if FOR_NOBODY in refusals[-1]:
            last.set()

    url = with_login(nats_url, login, PASSWORD)
    client = await nats.connect(url, error_cb=refused, inbox_prefix=inbox_prefix(login))

    async def settled() -> str:
        await client.publish(FOR_NOBODY, b"")
        await asyncio.wait_for(last.wait(), timeout=90)
        return "\n".join(refusals)

    try:
        yield client, settled
    finally:
        await client.close()


def test_every_service_login_and_subject_is_covered() -> None:
    assert set(LOGINS) - {"llmbench"} >= {*SERVICES, VIEWER}
    senders = set.union(*(sends for sends, _ in TRAFFIC.values()))
    assert senders == set(SERVICES)
    for subject in subjects():
        assert traffic(subject)


@pytest.mark.parametrize("login", [*SERVICES, VIEWER])
@pytest.mark.shows("S-20")
async def test_login_may_publish_only_its_own_subjects(nats_url: str, login: str) -> None:
    expected = {subject: login in traffic(subject)[0] for subject in subjects()}
    expected |= dict.fromkeys(NEVER, False)
    expected |= {subject: login in allowed for subject, allowed in ONLY.items()}
    expected |= {f"{inbox_prefix(other)}.x": False for other in SERVICES if other != login}
    async with client_and_refusals(nats_url, login) as (client, settled):
        for subject in expected:
            await client.publish(subject, b"{}")
        refused = await settled()
    assert {subject: f'publish to "{subject.lower()}"' not in refused for subject in expected} == expected, refused


@pytest.mark.parametrize("login", [*SERVICES, VIEWER])
@pytest.mark.shows("S-20")
async def test_login_may_subscribe_only_to_the_subjects_meant_for_it(nats_url: str, login: str) -> None:
    expected = {subject: login in traffic(subject)[1] or (login, subject) in ALSO_LISTENS for subject in subjects()}
    expected |= dict.fromkeys((">", "*", "cmd.>", "$JS.>", "$SYS.>", "$KV.run_state.>", "_INBOX.>"), False)
    expected |= {f"{inbox_prefix(other)}.>": other == login for other in SERVICES}
    async with client_and_refusals(nats_url, login) as (client, settled):
        for subject in expected:
            await client.subscribe(subject)
        # The subscriptions reach the server before `settled` publishes.
        await client.flush()
        await client.flush()
        refused = await settled()
    assert {subject: f'subscription to "{subject.lower()}"' not in refused for subject in expected} == expected, refused

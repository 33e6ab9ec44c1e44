"""Test the endpoints of invitations, members, API keys, organisations and the audit log."""

import asyncio
import csv
import io
import uuid
from uuid import UUID

import asyncpg
import nats
import pytest
from identity_world import PASSWORD, Browser, World, assert_problem
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from identity.configuration import DURABLE
from identity.tokens import ApiKey, new_api_key, parse_api_key
from llmbench.contracts.identity_revoked import IdentityRevoked
from llmbench.contracts.task_changed import TaskChanged
from llmbench.messaging.publish import headers
from llmbench.messaging.streams import EVENTS
from llmbench.organisation import asked_by, working_for


async def person_id(browser: Browser) -> str:
    return str((await browser.session())["person"]["id"])


async def test_invitation_is_listed_until_it_is_used_or_withdrawn(world: World) -> None:
    owner = await world.owner()
    invited = await owner.post("/api/invitations", {"role": "viewer", "email": "Bob@Example.org"})
    made = invited.json()
    assert made["path"] == f"/invitation#{made['token']}"
    assert made["email"] == "bob@example.org"
    (listed,) = (await owner.get("/api/invitations")).json()["items"]
    assert "token" not in listed
    assert (await owner.request("DELETE", f"/api/invitations/{made['id']}")).status_code == 204
    assert_problem(await owner.request("DELETE", f"/api/invitations/{made['id']}"), 404)
    body = {"token": made["token"], "email": "bob@example.org", "name": "Bob", "password": PASSWORD}
    assert_problem(await world.browser().post("/api/auth/invitations/accept", body), 410)
    await world.joined(owner, "member")
    assert (await owner.get("/api/invitations")).json()["items"] == []


async def test_link_of_one_kind_is_not_accepted_as_the_other(world: World) -> None:
    body = {"token": world.first_owner_token, "email": "eve@example.org", "name": "Eve", "password": PASSWORD}
    assert_problem(await world.browser().post("/api/auth/invitations/accept", body), 410)
    owner = await world.owner()
    token = (await owner.post("/api/invitations", {"role": "owner"})).json()["token"]
    answer = await world.browser().post("/api/auth/first-owner", {**body, "token": token, "organisation": "Mine"})
    assert_problem(answer, 410)


async def test_person_with_an_account_joins_with_its_password(world: World) -> None:
    owner = await world.owner()
    bob = await world.joined(owner, "member")
    second = await owner.post("/api/organisations", {"name": "Second", "slug": "second"})
    await owner.post("/api/auth/organisation", {"id": second.json()["id"]})
    token = (await owner.post("/api/invitations", {"role": "admin"})).json()["token"]
    body = {"token": token, "email": "bob@example.org", "name": "Another name"}
    wrong = await world.browser().post("/api/auth/invitations/accept", {**body, "password": "wrong password"})
    assert_problem(wrong, 401)
    again = world.browser()
    joined = await again.post("/api/auth/invitations/accept", {**body, "password": PASSWORD})
    session = joined.json()
    assert session["person"] == (await bob.session())["person"]
    assert session["organisation"]["name"] == "Second"
    assert {(each["name"], each["role"]) for each in session["organisations"]} == {
        ("Engines", "member"),
        ("Second", "admin"),
    }


async def test_member_joins_no_second_time(world: World) -> None:
    owner = await world.owner()
    token = (await owner.post("/api/invitations", {"role": "viewer"})).json()["token"]
    body = {"token": token, "email": "ada@example.org", "name": "Ada", "password": PASSWORD}
    assert_problem(await world.browser().post("/api/auth/invitations/accept", body), 409)


async def test_last_owner_neither_leaves_nor_steps_down(world: World) -> None:
    owner = await world.owner()
    ada = await person_id(owner)
    assert_problem(await owner.request("PATCH", f"/api/members/{ada}", json={"role": "viewer"}), 409)
    assert_problem(await owner.request("DELETE", f"/api/members/{ada}"), 409)
    second = await world.joined(owner, "owner")
    changed = await owner.request("PATCH", f"/api/members/{ada}", json={"role": "viewer"})
    assert changed.json()["role"] == "viewer"
    bob = await person_id(second)
    assert_problem(await second.request("DELETE", f"/api/members/{bob}"), 409)


async def test_two_owners_who_leave_at_once_do_not_both_leave(world: World, postgres_url: str) -> None:
    ada = await world.owner()
    bob = await world.joined(ada, "owner")
    ids = [await person_id(each) for each in (ada, bob)]
    connection = await asyncpg.connect(postgres_url)
    try:
        # Both requests wait at this lock, and go on at the same moment.
        async with connection.transaction():
            await connection.execute("SELECT FROM membership FOR UPDATE")
            leaving = [
                asyncio.create_task(each.request("DELETE", f"/api/members/{id_}"))
                for each, id_ in zip((ada, bob), ids, strict=True)
            ]
            waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
            while await connection.fetchval(waiting) < len(leaving):
                await asyncio.sleep(0.01)
        answers = await asyncio.gather(*leaving)
    finally:
        await connection.close()
    assert sorted(answer.status_code for answer in answers) == [204, 409], [answer.text for answer in answers]


async def test_admin_neither_makes_nor_changes_owners(world: World) -> None:
    owner = await world.owner()
    admin = await world.joined(owner, "admin")
    ada, bob = await person_id(owner), await person_id(admin)
    assert_problem(await admin.post("/api/invitations", {"role": "owner"}), 403)
    assert_problem(await admin.request("PATCH", f"/api/members/{bob}", json={"role": "owner"}), 403)
    assert_problem(await admin.request("PATCH", f"/api/members/{ada}", json={"role": "member"}), 403)
    assert_problem(await admin.request("DELETE", f"/api/members/{ada}"), 403)
    assert_problem(await admin.request("PATCH", "/api/organisations/current", json={"name": "Mine"}), 403)
    assert (await admin.post("/api/invitations", {"role": "admin"})).status_code == 201


async def test_removed_member_loses_session_and_keys(world: World) -> None:
    owner = await world.owner()
    admin = await world.joined(owner, "admin")
    key = (await admin.post("/api/api-keys", {"name": "ci"})).json()["key"]
    program = world.browser(key=key)
    assert (await program.get("/api/members")).status_code == 200
    assert (await owner.request("DELETE", f"/api/members/{await person_id(admin)}")).status_code == 204
    assert_problem(await admin.get("/api/members"), 401)
    assert_problem(await program.get("/api/members"), 401)
    # The account stays, but it is not a member of any organisation.
    again = world.browser()
    session = (await again.post("/api/auth/sign-in", {"email": "bob@example.org", "password": PASSWORD})).json()
    assert (session["organisation"], session["organisations"], session["allowed"]) == (None, [], [])
    assert_problem(await again.get("/api/members"), 403)


async def test_changed_role_holds_from_the_next_request_on(world: World) -> None:
    owner = await world.owner()
    admin = await world.joined(owner, "admin")
    path = f"/api/members/{await person_id(admin)}"
    assert (await owner.request("PATCH", path, json={"role": "viewer"})).status_code == 200
    assert_problem(await admin.get("/api/audit-log"), 403)
    assert (await admin.get("/api/members")).status_code == 200


@pytest.mark.shows("S-34")
async def test_api_key_is_shown_once_and_acts_as_its_maker(world: World, engine: AsyncEngine) -> None:
    owner = await world.owner()
    made = (await owner.post("/api/api-keys", {"name": "ci", "scopes": ["members:read", "runs:read"]})).json()
    program = world.browser(key=made["key"])
    assert (await program.get("/api/members")).status_code == 200
    refused = assert_problem(await program.get("/api/audit-log"), 403)
    assert refused["needed"] == "audit-log:read"
    (listed,) = (await owner.get("/api/api-keys")).json()["items"]
    assert "key" not in listed
    assert listed["last_used_at"] is not None
    parts = parse_api_key(made["key"])
    assert parts is not None
    async with engine.connect() as connection:
        stored = (await connection.execute(text("SELECT api_key::text FROM api_key"))).scalar_one()
    assert parts.secret not in stored
    assert_problem(await owner.post("/api/api-keys", {"name": "ci"}), 409, "name")
    assert_problem(await owner.post("/api/api-keys", {"name": "x", "scopes": ["runs:*"]}), 422, "scopes")
    assert (await owner.request("DELETE", f"/api/api-keys/{made['id']}")).status_code == 204
    assert_problem(await program.get("/api/members"), 401)


async def test_key_gives_no_right_that_it_does_not_have(world: World) -> None:
    owner = await world.owner()
    narrow = (await owner.post("/api/api-keys", {"name": "narrow", "scopes": ["api-keys:create"]})).json()["key"]
    program = world.browser(key=narrow)
    assert_problem(await program.post("/api/api-keys", {"name": "wider", "scopes": ["runs:read"]}), 403)
    same = (await program.post("/api/api-keys", {"name": "same"})).json()
    assert same["scopes"] == ["api-keys:create"]


@pytest.mark.shows("S-34")
async def test_expired_key_is_refused(world: World) -> None:
    owner = await world.owner()
    made = await owner.post("/api/api-keys", {"name": "old", "expires_at": "2020-01-01T00:00:00Z"})
    assert_problem(await world.browser(key=made.json()["key"]).get("/api/members"), 401)


async def test_use_of_a_key_is_noted_at_most_once_a_minute(world: World, engine: AsyncEngine) -> None:
    owner = await world.owner()
    program = world.browser(key=(await owner.post("/api/api-keys", {"name": "ci"})).json()["key"])
    noted = []
    for _ in range(2):
        await program.get("/api/members")
        async with engine.connect() as connection:
            noted.append((await connection.execute(text("SELECT last_used_at FROM api_key"))).scalar_one())
    assert noted[0] == noted[1]


def test_api_key_with_a_typing_mistake_is_recognised() -> None:
    key = new_api_key(uuid.uuid4())
    assert parse_api_key(key.text) == key
    for wrong in (key.text[:-1], key.text + "a", key.text.upper(), f"{key.text}\x00", f" {key.text}", "", "llmb_"):
        assert parse_api_key(wrong) is None
    swapped = key.text.replace(key.secret, key.secret[::-1])
    assert swapped == key.text or parse_api_key(swapped) is None


UNKNOWN_KEY = ApiKey(uuid.UUID(int=0), "0" * 43)


@pytest.mark.shows("S-34")
@pytest.mark.parametrize(
    "authorization",
    ["Bearer", "Bearer x", "Basic YTpi", "Bearer llmb_\x00", f"Bearer {UNKNOWN_KEY.text}", "\xff"],
    ids=["nothing", "a word", "Basic", "NUL", "a key that was never stored", "no UTF-8"],
)
async def test_authorization_that_is_no_key_is_refused_beside_a_valid_session(world: World, authorization: str) -> None:
    owner = await world.owner()
    headers = {"Authorization": authorization.encode("latin-1")}
    assert_problem(await owner.request("GET", "/api/members", headers=headers), 401)


async def test_people_see_only_their_present_organisation(world: World) -> None:
    owner = await world.owner()
    key = (await owner.post("/api/api-keys", {"name": "ci"})).json()
    invitation = (await owner.post("/api/invitations", {"role": "viewer"})).json()
    bob = await person_id(await world.joined(owner, "viewer"))
    second = (await owner.post("/api/organisations", {"name": "Second", "slug": "second"})).json()
    switched = await owner.post("/api/auth/organisation", {"id": second["id"]})
    assert switched.json()["role"] == "owner"
    assert (await owner.get("/api/organisations/current")).json()["slug"] == "second"
    assert [each["name"] for each in (await owner.get("/api/members")).json()["items"]] == ["Ada"]
    for path in ("/api/api-keys", "/api/invitations"):
        assert (await owner.get(path)).json()["items"] == []
    for path in (f"/api/api-keys/{key['id']}", f"/api/invitations/{invitation['id']}", f"/api/members/{bob}"):
        assert_problem(await owner.request("DELETE", path), 404)
    assert_problem(await owner.post("/api/auth/organisation", {"id": str(uuid.uuid4())}), 404)
    # A key works for the organisation in which it was created.
    names = [each["name"] for each in (await world.browser(key=key["key"]).get("/api/members")).json()["items"]]
    assert sorted(names) == ["Ada", "Bob"]


async def test_organisation_is_renamed_and_names_are_unique(world: World) -> None:
    owner = await world.owner()
    before = (await owner.get("/api/organisations/current")).json()
    assert (before["slug"], before["plan"], before["billing_email"]) == ("default", "ENTERPRISE", None)
    changes = {"name": "Engines & Co", "slug": "engines", "billing_email": "Bills@Example.org"}
    after = (await owner.request("PATCH", "/api/organisations/current", json=changes)).json()
    assert {name: after[name] for name in changes} == {**changes, "billing_email": "bills@example.org"}
    assert after["version"] == before["version"] + 1
    assert_problem(await owner.post("/api/organisations", {"name": "Engines & Co", "slug": "x"}), 409, "name")
    assert_problem(await owner.post("/api/organisations", {"name": "x", "slug": "engines"}), 409, "slug")
    assert_problem(await owner.post("/api/organisations", {"name": "x", "slug": "No Slug"}), 422, "slug")


async def test_audit_log_tells_what_changed_and_by_whom_without_secrets(world: World) -> None:
    owner = await world.owner()
    made = (await owner.post("/api/api-keys", {"name": "=cmd()", "scopes": ["runs:read"]})).json()
    await owner.request("PATCH", "/api/organisations/current", json={"name": "New"})
    page = (await owner.get("/api/audit-log", limit=2)).json()
    entries = page["items"]
    assert [(each["action"], each["resource"], each["person_name"]) for each in entries] == [
        ("updated", "organisation", "Ada"),
        ("created", "api-key", "Ada"),
    ]
    assert (entries[0]["before"], entries[0]["after"]) == ({"name": "Engines"}, {"name": "New"})
    rest = (await owner.get("/api/audit-log", cursor=page["next_cursor"])).json()["items"]
    assert [each["action"] for each in rest] == ["signed-in", "joined"]
    only = await owner.get("/api/audit-log", resource="api-key", person_id=await person_id(owner))
    assert [each["resource_id"] for each in only.json()["items"]] == [made["id"]]
    assert (await owner.get("/api/audit-log", since="2999-01-01T00:00:00Z")).json()["items"] == []
    exported = await owner.get("/api/audit-log/export")
    rows = list(csv.DictReader(io.StringIO(exported.text)))
    assert [row["action"] for row in rows] == ["updated", "created", "signed-in", "joined"]
    assert made["key"] not in exported.text
    assert PASSWORD not in exported.text


async def test_audit_entry_can_be_neither_changed_nor_deleted(world: World, engine: AsyncEngine) -> None:
    await world.owner()
    for statement in ("UPDATE audit_entry SET action = 'x'", "DELETE FROM audit_entry"):
        with pytest.raises(Exception, match="append-only"):
            async with engine.begin() as connection:
                await connection.execute(text(statement))


async def test_ended_credentials_are_announced(world: World, nats_url: str) -> None:
    owner = await world.owner()
    connection = await nats.connect(nats_url)
    heard = await connection.subscribe(IdentityRevoked.SUBJECT)
    await connection.flush()
    made = (await owner.post("/api/api-keys", {"name": "ci"})).json()
    await owner.request("DELETE", f"/api/api-keys/{made['id']}")
    first = IdentityRevoked.model_validate_json((await heard.next_msg(timeout=60)).data)
    assert [str(each) for each in first.credentials] == [made["id"]]
    await owner.post("/api/auth/sign-out")
    second = IdentityRevoked.model_validate_json((await heard.next_msg(timeout=60)).data)
    assert len(second.credentials) == 1
    await connection.close()


async def test_changes_of_the_configuration_are_recorded_once_with_their_person(world: World, nats_url: str) -> None:
    owner = await world.owner()
    session = await owner.session()
    id_ = uuid.uuid4()
    event = TaskChanged.model_validate({**TaskChanged.EXAMPLES[0], "id": str(id_), "change": "created"})
    connection = await nats.connect(nats_url)
    streams = connection.jetstream()
    with working_for(UUID(session["organisation"]["id"])), asked_by(UUID(session["person"]["id"])):
        # The stream does not recognise the second event as a duplicate, because it compares another header.
        for _ in range(2):
            stated = headers(service="config-api", type_=event.type, message_id=id_, at=event.at, traceparent=None)
            del stated["Nats-Msg-Id"]
            await streams.publish(event.subject(), event.model_dump_json().encode(), headers=stated)
    await streams.publish("evt.config.task.created.v1", b"no event")
    async with asyncio.timeout(60):
        while (await streams.consumer_info(EVENTS, DURABLE)).ack_floor.stream_seq < 3:
            continue
    await connection.close()
    (entry,) = (await owner.get("/api/audit-log", resource="task")).json()["items"]
    assert (entry["action"], entry["resource_id"], entry["person_name"]) == ("created", str(id_), "Ada")

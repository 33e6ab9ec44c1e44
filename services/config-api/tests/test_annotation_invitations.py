"""Test which requests the token of an invitation link allows, and which it does not."""

import httpx
from annotation_world import PATH, new_task, person
from config_api_asserting import assert_problem, create_resource
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.db.tables import annotation_invitation
from llmbench.ids import DEFAULT_ORG_ID, new_id
from llmbench.link_tokens import new_token, organisation_of
from llmbench.organisation import working_for

INVITED = f"{PATH}/invited"
HEADER = "Llmbench-Invitation"


def test_token_names_its_organisation_and_nothing_else_is_a_token() -> None:
    organisation = new_id()
    token = new_token(organisation)
    assert organisation_of(token) == organisation
    assert new_token(organisation) != token
    assert [organisation_of(text) for text in ("", "x" * 64 + "\n", token[:-1], token + "A", "é" * 64)] == [None] * 5


async def test_invited_person_labels_one_task_and_sees_nothing_else(
    api: httpx.AsyncClient, engine: AsyncEngine
) -> None:
    task = await new_task(api, 2, required_annotations_per_item=1)
    other = await new_task(api, 2, dataset="Others")
    made = await create_resource(api, f"{task}/invitations", name="Guest", email="guest@example.org")
    assert made["path"] == f"/annotate#{made['token']}"
    headers = {HEADER: made["token"]}

    about = (await api.get(INVITED, headers=headers)).json()
    assert (about["name"], about["annotator"], about["total_items"]) == ("Are they good?", "Guest", 2)
    item = (await api.get(f"{INVITED}/next", headers=headers)).json()
    path = f"{INVITED}/items/{item['item_id']}"
    assert (await api.put(f"{path}/draft", headers=headers, json={"labels": {"label": "bad"}})).status_code == 200
    first = (await api.post(path, headers=headers, json={"labels": {"label": "bad"}})).json()
    assert first["next"]["position"] == 2
    undone = (await api.post(f"{INVITED}/undo", headers=headers)).json()
    assert (undone["item"]["item_id"], undone["item"]["draft"]) == (item["item_id"], {"label": "bad"})
    for labelled in (item["item_id"], first["next_item_id"]):
        assert (await api.get(f"{INVITED}/next", headers=headers)).json()["item_id"] == labelled
        answer = await api.post(f"{INVITED}/items/{labelled}", headers=headers, json={"labels": {"label": "good"}})
        assert answer.status_code == 200, answer.text
    assert (await api.get(f"{INVITED}/next", headers=headers)).status_code == 204

    # An item of another task does not exist for this link.
    bob = await person(api, other, "Bob")
    theirs = await bob.next()
    assert theirs is not None
    foreign = await api.post(
        f"{INVITED}/items/{theirs['item_id']}", headers=headers, json={"labels": {"label": "good"}}
    )
    assert_problem(foreign, 404)
    assert_problem(await api.get(INVITED), 422, HEADER)

    listed = (await api.get(f"{task}/invitations")).json()["invitations"]
    assert [(one["annotator"], one["status"], one["used_at"] is None) for one in listed] == [("Guest", "OPEN", False)]
    assert made["token"] not in (await api.get(f"{task}/invitations")).text
    with working_for(DEFAULT_ORG_ID):
        async with engine.connect() as connection:
            rows = (await connection.execute(select(annotation_invitation))).all()
    assert made["token"].encode() not in b"".join(row.token_hash for row in rows), "only the hash is stored"


async def test_expired_revoked_and_foreign_links_say_so(api: httpx.AsyncClient, engine: AsyncEngine) -> None:
    task = await new_task(api, 2)
    ada = await person(api, task, "Ada")
    expired = await create_resource(api, f"{task}/invitations", annotator_id=ada.id, expires_in_hours=1)
    revoked = await create_resource(api, f"{task}/invitations", annotator_id=ada.id)
    id_ = revoked["invitation"]["invitation_id"]
    assert (await api.delete(f"{task}/invitations/{id_}")).status_code == 204
    with working_for(DEFAULT_ORG_ID):
        async with engine.begin() as connection:
            of_expired = annotation_invitation.c.id == expired["invitation"]["invitation_id"]
            await connection.execute(update(annotation_invitation).where(of_expired).values(expires_at=func.now()))
    titles = {
        "Link expired": expired["token"],
        "Link revoked": revoked["token"],
        "Link not valid": new_token(DEFAULT_ORG_ID),
    }
    for title, token in titles.items():
        for path in (INVITED, f"{INVITED}/next"):
            assert assert_problem(await api.get(path, headers={HEADER: token}), 410)["title"] == title
    elsewhere = await api.get(INVITED, headers={HEADER: new_token(new_id())})
    assert assert_problem(elsewhere, 410)["title"] == "Link not valid"
    assert_problem(await api.get(INVITED, headers={HEADER: "hello"}), 410)

    # The link of a blocked person still opens, but gives no item.
    last = await create_resource(api, f"{task}/invitations", annotator_id=ada.id)
    await api.patch(f"{PATH}/annotators/{ada.id}", json={"status": "BLOCKED"})
    assert_problem(await api.get(f"{INVITED}/next", headers={HEADER: last["token"]}), 403)
    assert_problem(await api.post(f"{task}/invitations", json={"name": "X", "annotator_id": ada.id}), 422, "body")
    assert_problem(await api.post(f"{task}/invitations", json={"annotator_id": str(new_id())}), 404)
    assert_problem(await api.delete(f"{task}/invitations/{new_id()}"), 404)

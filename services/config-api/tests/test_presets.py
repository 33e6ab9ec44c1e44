"""Test `/api/evaluation-presets` over HTTP."""

from typing import Any

import httpx
import pytest
from config_api_asserting import assert_problem, create_resource

PATH = "/api/evaluation-presets"


async def test_preset_is_created_read_replaced_and_deleted(api: httpx.AsyncClient) -> None:
    settings = {"max_concurrent_calls": 4, "timeout_seconds": 30.5, "max_retries": 10}
    answer = await api.post(PATH, json={"name": "careful", "settings": settings})
    preset = answer.json()
    assert (answer.status_code, answer.headers["etag"]) == (201, '"1"')
    assert preset["settings"] == settings | {"max_conversation_history": 10, "parallel_groups": 1}
    wanted = {
        "concurrency": 4,
        "timeout_s": 30.5,
        "max_attempts": 10,
        "max_conversation_history": 10,
        "parallel_groups": 1,
    }
    assert preset["run"] == wanted
    assert preset["notes"] == ["max_retries 10 are 11 tries; a run makes at most 10"]
    path = answer.headers["location"]
    assert (await api.get(path)).json() == preset

    some = {"settings": {"max_retries": 3, "parallel_groups": 4}}
    answer = await api.put(path, json={"name": "default", "description": "d", **some}, headers={"If-Match": '"1"'})
    assert (answer.status_code, answer.headers["etag"]) == (200, '"2"')
    wanted = {
        "concurrency": 10,
        "timeout_s": 60,
        "max_attempts": 4,
        "max_conversation_history": 10,
        "parallel_groups": 4,
    }
    assert answer.json()["run"] == wanted
    assert_problem(await api.put(path, json={"name": "default", **some}, headers={"If-Match": '"1"'}), 412)
    await create_resource(api, PATH, name="Another", **some)
    assert_problem(await api.put(path, json={"name": "Another", **some}), 409, "name")
    assert_problem(await api.post(PATH, json={"name": "Another", **some}), 409, "name")

    listed = (await api.get(PATH, params={"limit": 1})).json()
    names = [listed["items"][0]["name"]]
    names.append((await api.get(PATH, params={"cursor": listed["next_cursor"]})).json()["items"][0]["name"])
    assert sorted(names) == ["Another", "default"]
    assert [item["name"] for item in (await api.get(PATH, params={"q": "AULT"})).json()["items"]] == ["default"]
    assert (await api.get(PATH, params={"name": "another"})).json()["items"] == []

    assert (await api.delete(path)).status_code == 204
    for gone in (api.get(path), api.delete(path), api.put(path, json={"name": "x", **some})):
        assert_problem(await gone, 404)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"settings": {"max_retries": 1}}, "name"),
        ({"name": "x"}, "settings"),
        ({"name": "x", "settings": {}}, "settings"),
        ({"name": "x", "settings": {"max_concurrent_calls": 0}}, "settings.max_concurrent_calls"),
        ({"name": "x", "settings": {"max_concurrent_calls": 51}}, "settings.max_concurrent_calls"),
        ({"name": "x", "settings": {"timeout_seconds": 301}}, "settings.timeout_seconds"),
        ({"name": "x", "settings": {"max_retries": -1}}, "settings.max_retries"),
        ({"name": "x", "settings": {"max_conversation_history": 51}}, "settings.max_conversation_history"),
        ({"name": "x", "settings": {"parallel_groups": 17}}, "settings.parallel_groups"),
        ({"name": "x", "settings": {"temperature": 0}}, "settings.temperature"),
    ],
)
async def test_invalid_preset_setting_is_refused_with_its_field(
    api: httpx.AsyncClient, body: dict[str, Any], field: str
) -> None:
    assert_problem(await api.post(PATH, json=body), 422, field)

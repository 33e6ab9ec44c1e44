"""Test `/api/providers` over HTTP. The tests of secrets are in `test_provider_secrets`."""

import asyncio
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from config_api_asserting import assert_problem, create_resource

from config_api.providers.defaults import Rules
from config_api.providers.schemas import ConnectionIn
from config_api.providers.sealing import connection_of
from inference_gateway.handlers.provider_types import describe_provider_type
from llmbench.contracts.describe_provider_type import DescribeProviderType
from llmbench.errors import Problem
from llmbench.http.listeners import Listeners, places
from llmbench.ids import DEFAULT_ORG_ID, new_id
from llmbench.organisation import working_for

CUSTOM: dict[str, Any] = {
    "name": "Mine",
    "type": "CUSTOM_OPEN_AI_COMPATIBLE",
    "base_url": "http://127.0.0.1:9000",
}


async def test_provider_is_created_read_replaced_and_deleted(api: httpx.AsyncClient) -> None:
    body = {
        **CUSTOM,
        "models_endpoint": "/m",
        "inference_endpoint": "/c?v=1",
        "options": {"keep_alive": "5m", "pattern": r"\u0000", "deep": {"list": [1, 2.5, None, True]}},
        "headers": [
            {"header_key": "X-Team", "header_value": "blue", "is_secret": False},
            {"header_key": "X-Area", "header_value": "one two", "is_secret": False},
        ],
    }
    answer = await api.post("/api/providers", json=body)
    provider = answer.json()
    assert (answer.status_code, answer.headers["etag"]) == (201, '"1"')
    assert {name: provider[name] for name in body if name != "headers"} == {
        n: v for n, v in body.items() if n != "headers"
    }
    assert provider["headers"] == [
        {"header_key": "X-Team", "header_value": "blue", "is_secret": False, "hint": None},
        {"header_key": "X-Area", "header_value": "one two", "is_secret": False, "hint": None},
    ]
    path = answer.headers["location"]
    assert (await api.get(path)).json() == provider

    answer = await api.put(path, json={**CUSTOM, "name": "Renamed"}, headers={"If-Match": '"1"'})
    assert (answer.status_code, answer.headers["etag"]) == (200, '"2"')
    assert (answer.json()["name"], answer.json()["headers"], answer.json()["options"]) == ("Renamed", [], {})
    assert_problem(await api.put(path, json=CUSTOM, headers={"If-Match": '"1"'}), 412)

    assert (await api.delete(path)).status_code == 204
    for answer in (await api.get(path), await api.delete(path), await api.put(path, json=CUSTOM)):
        assert_problem(answer, 404)
    assert_problem(await api.get(f"{path}/models"), 404)
    assert_problem(await api.post(f"{path}/test"), 404)


DEFAULTS = [
    ("OPENAI", None, "https://api.openai.com", "/v1/models", "/v1/chat/completions"),
    ("OLLAMA", None, "http://127.0.0.1:11434", "/v1/models", "/v1/chat/completions"),
    ("LM_STUDIO", None, "http://127.0.0.1:1234", "/v1/models", "/v1/chat/completions"),
    ("OPENROUTER", None, "https://openrouter.ai/api/v1", "/models", "/chat/completions"),
    ("OLLAMA", "http://box:11434/v1/", "http://box:11434/v1", "/models", "/chat/completions"),
    (
        "AZURE_OPENAI",
        "https://me.openai.azure.com",
        "https://me.openai.azure.com",
        "/openai/v1/models",
        "/openai/v1/chat/completions",
    ),
    ("CUSTOM_OPEN_AI_COMPATIBLE", "http://[::1]:80/", "http://[::1]:80", "/v1/models", "/v1/chat/completions"),
]


async def test_omitted_fields_take_the_defaults_of_the_type(api: httpx.AsyncClient) -> None:
    for type_, given, base_url, models, inference in DEFAULTS:
        provider = await create_resource(api, "/api/providers", name=f"{type_} at {given}", type=type_, base_url=given)
        found = (provider["base_url"], provider["models_endpoint"], provider["inference_endpoint"])
        assert found == (base_url, models, inference)


PLACELESS = ["AZURE_OPENAI", "CUSTOM_OPEN_AI_COMPATIBLE"]


async def test_type_without_a_default_base_url_requires_one(api: httpx.AsyncClient) -> None:
    for type_ in PLACELESS:
        assert_problem(await api.post("/api/providers", json={"name": "P", "type": type_}), 422, "base_url")


BAD_BASE_URLS = [
    "ftp://host",
    "file:///etc/passwd",
    "host:80",
    "//host",
    "http://",
    "http:///path",
    "http://user:password@host",
    "http://user@host",
    "http://host?key=1",
    "http://host?",
    "http://host#part",
    "http://host:99999",
    "http://host:0",
    "http://host:port",
    "http://good.example\\@evil.example",
    "http://a b",
    "http://host/\r\nX: 1",
    "http://host/\x00",
    "http://[::1",
    "http://[nonsense]:80",
    "http://-host",
    "http://%65vil",
    "http://bücher.example",
    # Numeric hosts that only some programs resolve, and the cloud's metadata address, which serves a machine's
    # credentials.
    "http://2130706433",
    "http://0x7f.1:11434",
    "http://0251.0376.0251.0376",
    "http://127.1",
    "http://169.254.169.254/latest",
    "http://169.254.169.254.",
    "http://[::ffff:169.254.169.254]:80",
    "http://[fe80::1]:11434",
    "http://h/" + "x" * 2048,
]


@pytest.mark.shows("S-07")
async def test_ambiguous_base_url_is_refused(api: httpx.AsyncClient) -> None:
    for base_url in BAD_BASE_URLS:
        assert_problem(await api.post("/api/providers", json={**CUSTOM, "base_url": base_url}), 422, "base_url")


async def test_base_url_of_the_platforms_own_servers_is_refused(
    api: httpx.AsyncClient, postgres_url: str, nats_url: str
) -> None:
    for url in (postgres_url, nats_url):
        port = urlsplit(url).port
        for host in ("127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"):
            body = {**CUSTOM, "base_url": f"http://{host}:{port}/api/tasks"}
            for path in ("/api/providers", "/api/providers/test"):
                problem = assert_problem(await api.post(path, json=body), 422, "base_url")
                assert "llmbench itself listens there" in str(problem["detail"])


@pytest.mark.shows("S-35")
def test_other_organisation_does_not_learn_where_the_platform_listens() -> None:
    rules = Rules({}, link_local_allowed=False, own=Listeners(places("127.0.0.1:5432")))
    body = ConnectionIn.model_validate({"type": CUSTOM["type"], "base_url": "http://127.0.0.1:5432/v1"})
    described = describe_provider_type(DescribeProviderType(provider_type=body.type, options={}))
    with working_for(new_id()):
        assert connection_of(body, rules, described).base_url == body.base_url
    with working_for(DEFAULT_ORG_ID), pytest.raises(Problem, match="llmbench itself listens there"):
        connection_of(body, rules, described)


BAD_ENDPOINTS = ["v1/models", "http://evil/v1", "//evil/v1", "/a b", "/a#b", "/a\r\nb", "/" * 2049]


async def test_endpoint_that_is_no_path_is_refused(api: httpx.AsyncClient) -> None:
    for endpoint in BAD_ENDPOINTS:
        for field in ("models_endpoint", "inference_endpoint"):
            assert_problem(await api.post("/api/providers", json={**CUSTOM, field: endpoint}), 422, field)


BAD_HEADERS: list[tuple[list[dict[str, Any]], str]] = [
    ([{"header_key": "", "header_value": "v"}], "headers.0.header_key"),
    ([{"header_key": "two words", "header_value": "v"}], "headers.0.header_key"),
    ([{"header_key": "X:Y", "header_value": "v"}], "headers.0.header_key"),
    ([{"header_key": "Ünicode", "header_value": "v"}], "headers.0.header_key"),
    ([{"header_key": "X", "header_value": "a\r\nHost: evil"}], "headers.0.header_value"),
    ([{"header_key": "X", "header_value": "a\x00b"}], "headers.0.header_value"),
    ([{"header_key": "X", "header_value": "é"}], "headers.0.header_value"),
    ([{"header_key": "X", "header_value": ""}], "headers.0.header_value"),
    ([{"header_key": "X", "header_value": None}], "headers.0.header_value"),
    ([{"header_key": "X"}], "headers.0.header_value"),
    ([{"header_key": "X", "is_secret": True}], "headers.0.header_value"),
    ([{"header_key": "X", "header_value": "v", "secret": True}], "headers.0.secret"),
    ([{"header_key": "Host", "header_value": "v"}], "headers.0.header_key"),
    ([{"header_key": "content-length", "header_value": "1"}], "headers.0.header_key"),
    ([{"header_key": "Content-Type", "header_value": "v"}], "headers.0.header_key"),
    ([{"header_key": "Transfer-Encoding", "header_value": "v"}], "headers.0.header_key"),
    ([{"header_key": "CONNECTION", "header_value": "v"}], "headers.0.header_key"),
    (
        [{"header_key": "X-A", "header_value": "1"}, {"header_key": "x-a", "header_value": "2"}],
        "headers.1.header_key",
    ),
    ([{"header_key": f"X-{n}", "header_value": "v"} for n in range(51)], "headers"),
]


async def test_header_that_cannot_be_sent_is_refused(api: httpx.AsyncClient) -> None:
    for headers, field in BAD_HEADERS:
        assert_problem(await api.post("/api/providers", json={**CUSTOM, "headers": headers}), 422, field)


BAD_OPTIONS = [
    b'{"name": "P", "type": "OLLAMA", "options": {"a": NaN}}',
    b'{"name": "P", "type": "OLLAMA", "options": {"a": "\\u0000"}}',
    b'{"name": "P", "type": "OLLAMA", "options": {"a": "\\ud800"}}',
    b'{"name": "P", "type": "OLLAMA", "options": {"a": "' + b"x" * 70_000 + b'"}}',
    b'{"name": "P", "type": "OLLAMA", "options": [1]}',
    b'{"name": "P", "type": "OLLAMA", "options": ' + b'{"a":' * 40 + b"1" + b"}" * 40 + b"}",
]


async def test_options_that_cannot_be_stored_are_refused(api: httpx.AsyncClient) -> None:
    for body in BAD_OPTIONS:
        answer = await api.post("/api/providers", content=body, headers={"content-type": "application/json"})
        assert_problem(answer, 422, "options")


BAD_FIELDS: list[tuple[dict[str, Any], str]] = [
    ({"name": ""}, "name"),
    ({"name": "line\nfeed"}, "name"),
    ({"type": "GOPHER"}, "type"),
    ({"type": None}, "type"),
    ({"colour": "blue"}, "colour"),
]


async def test_invalid_field_of_a_provider_is_named(api: httpx.AsyncClient) -> None:
    for change, field in BAD_FIELDS:
        assert_problem(await api.post("/api/providers", json={**CUSTOM, **change}), 422, field)


async def test_provider_name_is_unique(api: httpx.AsyncClient) -> None:
    answers = await asyncio.gather(*(api.post("/api/providers", json=CUSTOM) for _ in range(2)))
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    refused = next(answer for answer in answers if answer.status_code == 409)
    assert_problem(refused, 409, "name")
    other = await create_resource(api, "/api/providers", **{**CUSTOM, "name": "Other"})
    assert_problem(await api.put(f"/api/providers/{other['id']}", json=CUSTOM), 409, "name")


async def test_providers_are_listed_by_name_with_their_headers(api: httpx.AsyncClient) -> None:
    for name in ("B", "A", "C"):
        header = {"header_key": f"X-{name}", "header_value": name}
        await create_resource(api, "/api/providers", **{**CUSTOM, "name": name, "headers": [header]})
    page = (await api.get("/api/providers", params={"limit": 2})).json()
    assert [(item["name"], item["headers"][0]["header_key"]) for item in page["items"]] == [("A", "X-A"), ("B", "X-B")]
    rest = (await api.get("/api/providers", params={"cursor": page["next_cursor"]})).json()
    assert [item["name"] for item in rest["items"]] == ["C", "Local LM Studio", "Local Ollama"]
    found = (await api.get("/api/providers", params={"q": "STUD"})).json()
    assert [item["name"] for item in found["items"]] == ["Local LM Studio"]
    assert_problem(await api.get("/api/providers", params={"cursor": "x"}), 422, "cursor")


async def test_providers_can_be_found_by_exact_name(api: httpx.AsyncClient) -> None:
    mine = await create_resource(api, "/api/providers", **CUSTOM)
    for name, taken_by in (("Mine", [mine["id"]]), ("mine", []), ("Min", []), ("%", []), ("", [])):
        found = (await api.get("/api/providers", params={"name": name})).json()
        assert [item["id"] for item in found["items"]] == taken_by, name


PRICES = [
    {"model": "a", "input_usd_per_million": 0, "output_usd_per_million": 1.5},
    {"model": "b", "input_usd_per_million": 2, "output_usd_per_million": 1_000_000},
]


async def test_prices_are_stored_unchanged_and_replaced_together(api: httpx.AsyncClient) -> None:
    provider = await create_resource(api, "/api/providers", **CUSTOM, prices=PRICES)
    path = f"/api/providers/{provider['id']}"
    assert provider["prices"] == (await api.get(path)).json()["prices"] == PRICES
    assert (await api.put(path, json={**CUSTOM, "prices": PRICES[1:]})).json()["prices"] == PRICES[1:]
    assert (await api.put(path, json=CUSTOM)).json()["prices"] == []


BAD_PRICES: list[tuple[bytes, str]] = [
    (b'[{"model": "a", "input_usd_per_million": -1, "output_usd_per_million": 1}]', "prices.0.input_usd_per_million"),
    (b'[{"model": "a", "input_usd_per_million": NaN, "output_usd_per_million": 1}]', "prices.0.input_usd_per_million"),
    (b'[{"model": "a", "input_usd_per_million": 1e7, "output_usd_per_million": 1}]', "prices.0.input_usd_per_million"),
    (b'[{"model": "", "input_usd_per_million": 1, "output_usd_per_million": 1}]', "prices.0.model"),
    (b'[{"model": "a\\u0000", "input_usd_per_million": 1, "output_usd_per_million": 1}]', "prices.0.model"),
    (b'[{"model": "a", "input_usd_per_million": 1}]', "prices.0.output_usd_per_million"),
    (b'[{"model": "a", "input_usd_per_million": 1, "output_usd_per_million": 1, "out": 1}]', "prices.0.out"),
    (
        b'[{"model": "a", "input_usd_per_million": 1, "output_usd_per_million": 1},'
        b' {"model": "b", "input_usd_per_million": 1, "output_usd_per_million": 1},'
        b' {"model": "a", "input_usd_per_million": 2, "output_usd_per_million": 2}]',
        "prices.2.model",
    ),
]


async def test_invalid_or_duplicate_price_is_refused(api: httpx.AsyncClient) -> None:
    for prices, field in BAD_PRICES:
        body = b'{"name": "P", "type": "OLLAMA", "prices": ' + prices + b"}"
        answer = await api.post("/api/providers", content=body, headers={"content-type": "application/json"})
        assert_problem(answer, 422, field)

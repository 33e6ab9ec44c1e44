"""Test sign-in through an issuer on a complete platform: by the edge, with the cookies that a browser would keep."""

import json
from urllib.parse import urlsplit

import httpx
import pytest
from openid_provider import providing
from openid_world import MEMBERS, configured, visited

from tests.platform import platform

pytestmark = pytest.mark.never_rerun


async def test_person_signs_in_at_the_issuer_works_and_signs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    async with providing() as company:
        issuer = configured(company, **MEMBERS, role="member")
        monkeypatch.setenv("LLMBENCH_IDENTITY_ISSUERS", json.dumps([issuer]))
        async with platform(tasks=0, auth="on") as stack, httpx.AsyncClient(base_url=stack.url, timeout=90) as http:
            path = "/api/auth/issuers/company/sign-in"
            foreign = await http.post(path, json={}, headers={"Origin": "https://evil.example"})
            assert foreign.status_code == 403
            begun = await http.post(path, json={"next": "/tasks"}, headers={"Origin": stack.url})
            back = await visited(begun.json()["location"])
            assert back.startswith(f"{stack.url}/api/auth/issuers/company/callback?")
            finished = await http.get(back)
            assert (finished.status_code, finished.headers["location"]) == (303, "/tasks")

            session = (await http.get("/api/auth/session")).json()
            assert (session["role"], session["person"]["email"]) == ("member", "ada@company.example")
            changes = {"X-CSRF-Token": session["csrf_token"], "Origin": stack.url}
            task = {"task_id": "sum", "category": "arithmetic", "question": "What is 1 + 1?", "excellent": "2"}
            assert (await http.post("/api/tasks", json=task, headers=changes)).status_code == 201

            gone = await http.post("/api/auth/issuers/sign-out", headers=changes)
            assert urlsplit(gone.json()["location"]).path == "/logout"
            assert (await http.get("/api/tasks")).status_code == 401
            log = "".join(each.read_text() for each in stack.logs.glob("*.log"))
            code = back.partition("code=")[2].partition("&")[0]
            assert (code in log, session["csrf_token"] in log) == (False, False)

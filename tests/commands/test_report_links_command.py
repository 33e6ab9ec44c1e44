"""Test `llmbench report-links` on a real platform: a link is made, opens the report, is listed and revoked."""

import json

import pytest

from tests.commands.process import Llmbench
from tests.platform import Platform

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.never_rerun]
REPORT = "/api/runs/shared/report"


async def _finished(stack: Platform) -> str:
    run_id = await stack.start_run("mock-0ms")
    await stack.until_status(run_id, "FINISHED")
    return run_id


async def _status(stack: Platform, url: str) -> int:
    """Return the HTTP status of a request for the report with the token in the link `url`."""
    return (await stack.http.post(REPORT, data={"token": url.partition("#")[2]})).status_code


async def test_link_is_printed_opens_the_report_and_is_revoked(llmbench: Llmbench, stack: Platform) -> None:
    run_id = await _finished(stack)
    made = await llmbench("report-links", "create", run_id, "--expires", "30")
    url = made.out.strip()
    assert url.startswith(f"{stack.url}/shared-report#")
    assert await _status(stack, url) == 200

    [listed] = json.loads((await llmbench("report-links", "list", run_id, "--json")).out)
    shown = (await llmbench("report-links", "list", run_id)).out
    assert (listed["id"] in shown, "opened last" in shown, url.partition("#")[2] in shown) == (True, True, False)
    assert listed["id"] in made.err
    assert "only this machine can open it" in made.err

    assert (await llmbench("report-links", "revoke", run_id, listed["id"])).code == 0
    assert await _status(stack, url) == 410
    assert (await llmbench("report-links", "list", run_id)).out == ""
    again = await llmbench("report-links", "revoke", run_id, listed["id"])
    assert (again.code, "has no such link" in again.err) == (1, True)


async def test_all_links_of_a_run_are_revoked_at_once(llmbench: Llmbench, stack: Platform) -> None:
    run_id = await _finished(stack)
    links = [json.loads((await llmbench("report-links", "create", run_id, "--json")).out) for _ in range(2)]
    unnamed = await llmbench("report-links", "revoke", run_id)
    assert (unnamed.code, "name a link" in unnamed.err) == (2, True)
    # A path in place of the id would name another resource.
    assert (await llmbench("report-links", "revoke", run_id, "..")).code == 2
    assert (await stack.get(f"/api/runs/{run_id}"))["id"] == run_id
    assert "revoked 2 links" in (await llmbench("report-links", "revoke", run_id, "--all")).err
    assert [await _status(stack, link["url"]) for link in links] == [410, 410]


async def test_days_are_limited_as_by_the_api(llmbench: Llmbench, stack: Platform) -> None:
    for days in ("0", "91", "soon"):
        assert (await llmbench("report-links", "create", "last", "--expires", days)).code == 2

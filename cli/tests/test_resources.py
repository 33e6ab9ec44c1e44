"""What the commands ask of the platform's resources: one made for a file that is refused goes again."""

import httpx
import pytest

from llmbench_cli.platform_api import Unanswered
from llmbench_cli.resources import made_dataset, said_by

ID = "01990000-0000-7000-8000-000000000001"


def test_a_dataset_made_for_a_refused_file_is_deleted_and_the_refusal_is_told() -> None:
    calls: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        calls.append(f"{request.method} {request.url.path}")
        if request.method == "DELETE":
            return httpx.Response(204)
        if request.method == "POST":
            return httpx.Response(201, json={"dataset_id": ID})
        if request.url.path == "/v1/datasets":
            return httpx.Response(200, json={"datasets": []})
        return httpx.Response(200, json={"latest_version": None})

    api = httpx.Client(transport=httpx.MockTransport(answer), base_url="http://platform")
    with pytest.raises(SystemExit), made_dataset(api, "GSM8K"):
        raise SystemExit(1)
    assert calls[-1] == f"DELETE /v1/datasets/{ID}"


def test_a_refusal_is_raised_with_its_detail() -> None:
    refused = httpx.Response(409, json={"title": "Conflict", "detail": "It is published.", "status": 409})
    with pytest.raises(Unanswered, match="It is published"):
        said_by(refused)
    assert said_by(httpx.Response(204)) is None

"""Run a copy of the repository with the made-up resource `labels`: generate, migrate, serve, send requests.

    python serve_made_up_resource.py COPY DATABASE_URL NATS_URL

The results are written to stdout as JSON.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import httpx
from asgi_lifespan import LifespanManager

from llmbench.db.ownership import grants
from llmbench.db.tables import metadata
from tools.gen.edge import prefixes
from tools.gen.tables import GRANTS, module

PASSWORD = "only-for-tests"


async def serve(database_url: str, nats_url: str) -> dict[str, Any]:
    """Migrate the database, serve config-api, create a label, and list the labels. Return the responses and the
    generated rights, by name."""
    # Import these only now: the module of rights is generated after the imports above.
    from config_api.main import Settings, create_app
    from llmbench.db.logins import SERVICE_GRANTS, ensure_logins
    from llmbench.db.migrate import upgrade
    from llmbench_cli.embedded.services import with_login

    await upgrade(database_url)
    await ensure_logins(database_url, {"config-api": PASSWORD})
    settings = Settings.model_validate(
        {
            "LLMBENCH_DATABASE_URL": with_login(database_url, SERVICE_GRANTS["config-api"].role, PASSWORD),
            "LLMBENCH_NATS_URL": nats_url,
            "LLMBENCH_MASTER_KEY": "a master key that only tests use 0123456789",
        }
    )
    async with LifespanManager(create_app(settings), startup_timeout=240, shutdown_timeout=240) as manager:
        transport = httpx.ASGITransport(app=manager.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            created = await client.post("/api/labels", json={"name": "hard"})
            listed = await client.get("/api/labels")
    return {
        "created": created.status_code,
        "listed": [label["name"] for label in listed.json()["items"]],
        "edge": prefixes({"config-api": create_app().openapi()["paths"]}),
        "writes": SERVICE_GRANTS["config-api"].writes,
        "reads": SERVICE_GRANTS["orchestrator"].reads,
    }


if __name__ == "__main__":
    copy, database, broker = sys.argv[1:]
    (Path(copy) / GRANTS).write_text(module(grants(metadata)), encoding="utf-8")
    sys.stdout.write(json.dumps(asyncio.run(serve(database, broker))))

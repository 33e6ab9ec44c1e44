"""Copy a data folder of PostgreSQL that has the current schema.

A copy costs 0.05 s of CPU time, while a new folder with all migrations costs 2.3 s. The folder to copy is made when it
is first needed, once per process, and removed at the end of the process.
"""

import atexit
import shutil
from pathlib import Path

from llmbench.db.migrate import upgrade
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.postgres import prepare
from tests.servers import FAST, cluster_in, open_folder, running

_data: Path | None = None


async def migrated_data() -> Path:
    """Return a data folder with the current schema in the database `postgres`. No server uses it: copy it."""
    global _data
    if _data is None:
        home = open_folder()
        atexit.register(shutil.rmtree, home, ignore_errors=True)
        cluster = cluster_in(home)
        await prepare(cluster)
        port = free_port()
        async with running(cluster.spec(port, FAST)):
            await upgrade(cluster.url(port))
        _data = cluster.data
    return _data

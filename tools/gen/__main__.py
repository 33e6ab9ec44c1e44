"""Write the generated files and the web application's API client, or check that those on disk are up to date."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from llmbench.service.settings import PREFIX
from llmbench_cli.embedded.binaries import checkout
from tools.gen import DOCS, Generated
from tools.gen.access import access_page
from tools.gen.claims import claims
from tools.gen.edge import edge
from tools.gen.entities import entities
from tools.gen.exports import exports_page
from tools.gen.http import http_page
from tools.gen.licences import licences_page
from tools.gen.lifecycle import lifecycle
from tools.gen.messages import message_documents
from tools.gen.nats import nats
from tools.gen.openapi import documents, openapi
from tools.gen.provider_types import provider_types_page
from tools.gen.settings import settings_page
from tools.gen.suites import suite_schema
from tools.gen.tables import tables

# Folders that contain only generated files, so that other files in them are out of date.
OURS = (DOCS, Path("web/openapi"))
API_CLIENT = Path("web/src/api/generated")


def main() -> None:
    """Write all generated files. With --check, exit with 1 and name the files that differ, if there are any.

    The API client can only be compared after it is written. So --check writes it too, unless another file differs.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.gen", description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when something is out of date")
    check = parser.parse_args().check
    root = checkout()
    _forget_settings()
    wanted = {
        **openapi(),
        **message_documents(),
        **lifecycle(),
        **settings_page(),
        **provider_types_page(),
        **suite_schema(),
        **licences_page(),
        **tables(),
        **entities(),
        **claims(),
        **exports_page(),
        **http_page(documents()),
        **access_page(documents()),
        **edge(),
        **nats(),
    }
    if check:
        differing = _differing(root, wanted)
        if not differing:
            before = _texts(root, API_CLIENT)
            _make_client(root)
            differing = _differing_texts(before, _texts(root, API_CLIENT))
        if differing:
            sys.exit("out of date, run `make gen`: " + ", ".join(map(str, differing)))
        print(f"{len(wanted)} generated documents and the API client are up to date")
        return
    _write(root, wanted)
    _make_client(root)
    print(f"wrote {len(wanted)} documents and the API client")


def _forget_settings() -> None:
    """Unset the user's own settings: the generated files must not depend on them."""
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        del os.environ[name]
    # Some services need a key to create their application. Nothing is encrypted here.
    os.environ["LLMBENCH_MASTER_KEY"] = "only-to-look-at-the-application-0000000000"


def _write(root: Path, wanted: Generated) -> None:
    for path in _present(root):
        if path not in wanted:
            (root / path).unlink()
    for path, text in wanted.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def _differing(root: Path, wanted: Generated) -> list[Path]:
    present = {*_present(root), *(path for path in wanted if (root / path).is_file())}
    found = {path: (root / path).read_text("utf-8") for path in present}
    return _differing_texts(found, wanted)


def _differing_texts(before: Generated, after: Generated) -> list[Path]:
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def _present(root: Path) -> list[Path]:
    return [path.relative_to(root) for folder in OURS for path in (root / folder).rglob("*") if path.is_file()]


def _texts(root: Path, folder: Path) -> Generated:
    files = [path for path in (root / folder).rglob("*") if path.is_file()]
    return {path.relative_to(root): path.read_text("utf-8") for path in files}


def _make_client(root: Path) -> None:
    """Let the web project generate its API client from the OpenAPI documents."""
    done = subprocess.run(
        ["npm", "--prefix", "web", "run", "--silent", "gen"], cwd=root, check=False, capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"the API client could not be generated:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()

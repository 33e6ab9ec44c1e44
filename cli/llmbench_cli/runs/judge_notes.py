"""Say which judges behind the figures of runs were never measured against people."""

from collections.abc import Iterator, Sequence
from typing import Final

from llmbench_cli.client import Client, Json

_PATH: Final = "/api/calibrations/judges"
_MOST_RUNS: Final = 200


async def judge_notes(client: Client, run_ids: Sequence[str]) -> list[str]:
    """Return a sentence for each judge of the first 200 of these runs that has no calibration. Needs the right
    `runs:read`.
    """
    distinct = list(dict.fromkeys(run_ids))[:_MOST_RUNS]
    if not distinct:
        return []
    found = await client.get(_PATH, run_id=distinct)
    return list(_sentences(client.url, found["judges"]))


def _sentences(platform: str, judges: Sequence[Json]) -> Iterator[str]:
    for judge in judges:
        if judge["calibration_id"] is None:
            where = f"{platform}/calibrations/new?run={judge['run_id']}&judge={judge['evaluator_revision_id']}"
            yield (
                f"The judge {judge['judge']} ({judge['title']}) was not measured against people, so how far its scores "
                f"can be trusted is not known: {where}"
            )

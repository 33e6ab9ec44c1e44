"""Find judges that have no calibration, which means that they were never compared with people."""

from collections.abc import Iterator, Sequence
from typing import Final

from llmbench_cli.client import Client, Json

_PATH: Final = "/api/calibrations/judges"
_RUNS_A_REQUEST: Final = 200


async def judge_notes(client: Client, run_ids: Sequence[str]) -> list[str]:
    """Return a sentence for each judge of these runs that has no calibration. Needs the right `runs:read`."""
    distinct = list(dict.fromkeys(run_ids))
    judges: dict[tuple[str, str], Json] = {}
    for start in range(0, len(distinct), _RUNS_A_REQUEST):
        found = await client.get(_PATH, run_id=distinct[start : start + _RUNS_A_REQUEST])
        for judge in found["judges"]:
            judges.setdefault((judge["judge"], judge["evaluator_revision_id"]), judge)
    return list(_sentences(client.url, list(judges.values())))


def _sentences(platform: str, judges: Sequence[Json]) -> Iterator[str]:
    for judge in judges:
        if judge["calibration_id"] is None:
            where = f"{platform}/calibrations/new?run={judge['run_id']}&judge={judge['evaluator_revision_id']}"
            yield (
                f"The judge {judge['judge']} ({judge['title']}) was not measured against people, so how far its scores "
                f"can be trusted is not known: {where}"
            )

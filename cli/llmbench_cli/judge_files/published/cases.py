"""Cases of the user's own, in a file whose rows have the fields of a case in `POST /api/judge-checks`."""

from llmbench_cli.judge_files.base import JudgeFile
from llmbench_cli.recipes.base import BadRow, Json, Row

_FIELDS = ("id", "category", "question", "context", "first", "second", "answer", "right", "reason")


def _case(row: Row) -> Json:
    unknown = set(row.fields) - set(_FIELDS)
    if unknown:
        raise BadRow(f"there is no field {min(unknown)!r:.60}; there are {', '.join(_FIELDS)}")
    found = {name: value for name, value in row.fields.items() if value is not None}
    for name in ("question", "right", *(name for name, value in found.items() if not isinstance(value, str))):
        row.text(name)
    return {"id": f"case-{row.number}", "category": "all"} | found


JUDGE_FILE = JudgeFile(
    name="cases",
    title="Cases",
    files="JSON lines of your own: id, category, question, first and second or answer, right, reason",
    source="your own",
    convert=_case,
)

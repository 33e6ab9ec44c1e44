"""Read the parts of an upload: the format, the user's mapping of columns, the form's fields."""

from pathlib import PurePath
from typing import Annotated

from fastapi import Query

from config_api.datasets.formats.base import Format
from config_api.datasets.formats.registry import formats, recognised
from config_api.problems import answers
from llmbench.files.columns import chosen_map
from llmbench.http.multipart import Form, bad_form

NO_FORM = answers(415, "The body is no multipart/form-data.")
TOO_LARGE = answers(413, "The file is larger than 256 MiB.")
MapQuery = Annotated[
    list[Annotated[str, Query(max_length=600)]],
    Query(
        max_length=100,
        description="`column=field`, repeatable: maps a column of the file, for instance "
        "`answer=expected_output`; `notes=ignore` leaves one out. By default columns are recognised by name; "
        "`mapping` in the response shows how.",
    ),
]


def mapped(given: list[str]) -> dict[str, str]:
    """Parse the user's mapping: return the field of a test case for each mapped column. Raises a 422 problem for an
    invalid mapping."""
    try:
        return chosen_map(given)
    except ValueError as error:
        raise bad_form("map", str(error)) from None


def name_of(form: Form) -> str | None:
    """Return the uploaded file's name without its folders, or `None` if it has none."""
    return PurePath((form.file_name or "").replace("\\", "/")).name or None


def chosen_format(name: str | None, file_name: str | None) -> Format:
    """Return the format called `name` or, without a name, the format that matches the file's name.

    Raises a 422 problem if no format matches the file's name.
    """
    file_format = formats()[name] if name else recognised(file_name or "")
    if file_format is None:
        known = ", ".join(sorted(formats()))
        raise bad_form(
            "format", f"cannot be recognised from the file's name {(file_name or '')[:80]!r}; name one of {known}"
        )
    return file_format

"""Check a file of test cases as an upload does, and store nothing."""

import asyncio
from contextlib import closing
from dataclasses import asdict
from typing import IO, Any

from pydantic import BaseModel, Field

from config_api.checks import CheckService
from config_api.datasets.checking import MOST_SHOWN, Reading
from config_api.datasets.formats.base import Format
from config_api.datasets.ingest import ONE_AT_A_TIME, empty, unreadable
from config_api.datasets.right_answers import RightAnswers, count, right_of_case
from config_api.datasets.schemas import BadRowOut, MappedColumn, SchemaColumn
from llmbench.files.cases import Case
from llmbench.files.unreadable import Unreadable
from llmbench.http.multipart import bad_form

PREVIEW_CASES = 20


class CheckedCase(BaseModel):
    """A valid row as the test case that an upload would make of it."""

    line: int
    name: str
    input: dict[str, Any]
    expected_output: str | None
    ground_truth: dict[str, Any] | None
    metadata: dict[str, Any]
    checks: list[dict[str, Any]]


class FileCheck(BaseModel):
    """The result of checking a file: what an upload would find. An upload is refused if there is a bad row or a bad
    header."""

    format: str
    row_count: int
    bad_row_count: int
    bad_rows: list[BadRowOut] = Field(description=f"The first {MOST_SHOWN} errors.")
    columns: list[SchemaColumn] = Field(description="The columns of the valid rows, with the type of their values.")
    mapping: list[MappedColumn] = Field(description="How the file's columns were read.")
    warnings: list[str] = Field(description="Warnings to read before publishing.")
    right_answers: RightAnswers
    preview: list[CheckedCase] = Field(description=f"The first {PREVIEW_CASES} valid rows.")


async def check_file(file: IO[bytes], format_: Format, map_: dict[str, str], checks: CheckService) -> FileCheck:
    """Read the file entirely and report its errors, its columns and its first cases.

    Raises a 422 problem for an unreadable or empty file, and for a mapped column that the file lacks. Raises a 503
    problem if the judge service does not answer.
    """
    async with ONE_AT_A_TIME:
        reading = Reading(file, format_, map=map_)
        of_file = checks.of_file()
        right, preview = RightAnswers(), list[CheckedCase]()
        with closing(reading):
            try:
                while chunk := await asyncio.to_thread(reading.next_chunk):
                    faults_of_cases = await of_file.faults([case.checks for case in chunk])
                    for line, case, faults in zip(reading.lines, chunk, faults_of_cases, strict=True):
                        if faults:
                            reading.refuse(line, faults)
                            continue
                        count(right, right_of_case(case))
                        if len(preview) < PREVIEW_CASES:
                            preview.append(_shown(line, case))
            except Unreadable as error:
                raise unreadable(error) from None
    if (lacking := reading.unmapped) is not None:
        raise bad_form("map", lacking)
    if not reading.row_count and not reading.is_bad:
        raise empty()
    return FileCheck(
        format=format_.name,
        row_count=reading.row_count,
        bad_row_count=reading.bad_row_count,
        bad_rows=[BadRowOut(**asdict(fault)) for fault in reading.bad_rows],
        columns=[SchemaColumn(**column) for column in reading.columns],
        mapping=[MappedColumn.model_validate(column) for column in reading.mapping],
        warnings=reading.warnings,
        right_answers=right,
        preview=preview,
    )


def _shown(line: int, case: Case) -> CheckedCase:
    return CheckedCase(
        line=line,
        name=case.name,
        input=case.input,
        expected_output=case.expected_output,
        ground_truth=case.truth,
        metadata=case.metadata,
        checks=case.checks,
    )

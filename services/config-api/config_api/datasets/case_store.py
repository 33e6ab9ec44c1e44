"""Read and write the tables `test_case` and `ground_truth`: one function per query, in the caller's transaction."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from pydantic_core import to_json
from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Integer,
    LargeBinary,
    Row,
    Subquery,
    Text,
    bindparam,
    cast,
    delete,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.datasets.schemas import GroundTruthOut, TestCaseOut
from llmbench.contracts.dataset_words import TruthSource
from llmbench.db.tables import ground_truth, test_case
from llmbench.files.cases import Case
from llmbench.ids import new_id

_shown = select(
    test_case,
    ground_truth.c.id.label("ground_truth_id"),
    ground_truth.c.value,
    ground_truth.c.source,
    ground_truth.c.confidence,
    ground_truth.c.annotation_task_id,
).outerjoin(ground_truth, ground_truth.c.test_case_id == test_case.c.id)

UNIQUE_NAME = "test_case_version_id_name_key"
# Row-level security allows no COPY. One statement with an array per column takes about twice as long as COPY did.
_PUT_CASES = """
    INSERT INTO test_case (version_id, id, row_index, name, digest, input, expected_output, metadata, checks)
    SELECT $1, * FROM unnest(
        $2::uuid[], $3::int[], $4::text[], $5::bytea[], $6::jsonb[], $7::text[], $8::jsonb[], $9::jsonb[]
    )
"""
_PUT_TRUTHS = """
    INSERT INTO ground_truth (id, test_case_id, value, source, confidence)
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::jsonb[], $4::text[], $5::float8[])
"""


def _out(row: Row[Any]) -> TestCaseOut:
    truth = None
    if row.ground_truth_id is not None:
        truth = GroundTruthOut(
            ground_truth_id=row.ground_truth_id,
            value=row.value,
            source=row.source,
            confidence=row.confidence,
            annotation_task_id=row.annotation_task_id,
        )
    values = row._mapping
    return TestCaseOut.model_validate(
        {
            "test_case_id": row.id,
            **{name: values[name] for name in ("row_index", "name", "input", "expected_output", "created_at")},
            "metadata": values["metadata"],
            "checks": values["checks"],
            "ground_truth": truth,
        }
    )


async def insert_cases(connection: AsyncConnection, version_id: UUID, cases: Sequence[Case], *, first: int) -> None:
    """Store the cases with row numbers from `first` on."""
    ids = [new_id() for _ in cases]
    rows = [
        (
            *(id_, index, case.name, case.digest, _json(case.input), case.expected_output),
            *(_json(case.metadata), _json(case.checks)),
        )
        for index, (id_, case) in enumerate(zip(ids, cases, strict=True), start=first)
    ]
    truths = [
        (new_id(), id_, _json(case.truth), case.source.value, case.confidence)
        for id_, case in zip(ids, cases, strict=True)
        if case.truth is not None
    ]
    raw = (await connection.get_raw_connection()).driver_connection
    assert raw is not None
    if rows:
        await raw.execute(_PUT_CASES, version_id, *zip(*rows, strict=True))
    if truths:
        await raw.execute(_PUT_TRUTHS, *zip(*truths, strict=True))


def _json(value: Mapping[str, Any] | Sequence[Any]) -> str:
    return to_json(value).decode()


async def list_cases(
    connection: AsyncConnection, version_id: UUID, *, metadata: Mapping[str, Any] | None, limit: int, offset: int
) -> tuple[list[TestCaseOut], int]:
    """Return a page of cases in the file's order, and the total number.

    With `metadata`, only the cases whose metadata contains these keys and values are returned and counted.
    """
    conditions: list[ColumnElement[bool]] = [test_case.c.version_id == version_id]
    if metadata:
        conditions.append(test_case.c.metadata.contains(metadata))
    total = (await connection.execute(select(func.count()).select_from(test_case).where(*conditions))).scalar_one()
    query = _shown.where(*conditions).order_by(test_case.c.row_index).limit(limit)
    # Row numbers have no gaps, so an unfiltered page starts at a row number and needs no OFFSET.
    query = query.offset(offset) if metadata else query.where(test_case.c.row_index >= offset)
    return [_out(row) for row in await connection.execute(query)], total


async def page_of_cases(connection: AsyncConnection, version_id: UUID, *, first: int, limit: int) -> list[TestCaseOut]:
    query = _shown.where(test_case.c.version_id == version_id, test_case.c.row_index >= first)
    return [_out(row) for row in await connection.execute(query.order_by(test_case.c.row_index).limit(limit))]


def _placed(version_id: UUID, *, seed: int, field: str | None, metadata: Mapping[str, Any] | None = None) -> Subquery:
    """Return a subquery of the version's cases, with their sampling order and stratum.

    With `metadata`, it has only the cases whose metadata contains these keys and values.

    The order is a hash of `seed` and content; the stratum is the value of the metadata field `field`. All turns of a
    conversation get the order and the stratum of its first turn.
    """
    conversation = test_case.c.input["conversation_id"].astext
    alone = literal("row ") + cast(test_case.c.row_index, Text)
    turns: dict[str, Any] = {
        "partition_by": func.coalesce(literal("conversation ") + conversation, alone),
        "order_by": cast(test_case.c.input["turn"].astext, Integer),
    }
    value = test_case.c.metadata[field].astext if field is not None else literal(None, Text)
    digest = func.first_value(test_case.c.digest).over(**turns)
    return (
        select(
            test_case.c.id,
            func.first_value(value).over(**turns).label("value"),
            func.sha256(bindparam("seed", str(seed).encode(), LargeBinary).op("||")(digest)).label("place"),
            # Cases with the same content have the same hash, so the row number keeps them apart.
            func.first_value(test_case.c.row_index).over(**turns).label("first"),
            func.row_number().over(**turns).label("turn"),
        )
        .where(test_case.c.version_id == version_id, *([test_case.c.metadata.contains(metadata)] if metadata else []))
        .subquery()
    )


async def count_strata(
    connection: AsyncConnection,
    version_id: UUID,
    field: str,
    *,
    most: int,
    metadata: Mapping[str, Any] | None = None,
) -> dict[str | None, int]:
    """Return the number of cases for each value of the metadata field `field`, for at most `most` different values.

    All turns of a conversation count for the value of its first turn.
    """
    placed = _placed(version_id, seed=0, field=field, metadata=metadata)
    query = select(placed.c.value, func.count().label("cases")).group_by(placed.c.value).limit(most)
    rows = await connection.execute(query)
    return {row.value: row.cases for row in rows}


async def sample_cases(
    connection: AsyncConnection,
    version_id: UUID,
    *,
    seed: int,
    sizes: Mapping[str | None, int],
    field: str | None,
) -> list[tuple[str | None, TestCaseOut]]:
    """Return sampled cases as pairs of stratum and case.

    A stratum has the cases with the same value of the metadata field `field`. `sizes` has the number of cases to draw
    from each stratum. Without a `field`, `sizes[None]` is the total. A conversation is always taken with all its turns,
    so a stratum may yield more cases. The pseudo-random order depends on seed and content, not on how cases are stored.
    """
    chosen = _chosen(_placed(version_id, seed=seed, field=field), sizes)
    query = _shown.add_columns(chosen.c.value.label("stratum")).join(chosen, chosen.c.id == test_case.c.id)
    rows = await connection.execute(query.order_by(chosen.c.place, chosen.c.first, chosen.c.turn))
    return [(row.stratum, _out(row)) for row in rows]


async def sample_ids(
    connection: AsyncConnection,
    version_id: UUID,
    *,
    seed: int,
    sizes: Mapping[str | None, int],
    field: str | None,
    metadata: Mapping[str, Any],
) -> list[UUID]:
    """Return the ids of the cases that `sample_cases` would draw, in its order. `sizes` has the number of cases for
    each value of the metadata `field`, or for `None` if there is no field. Only cases whose metadata contains
    `metadata` are drawn."""
    chosen = _chosen(_placed(version_id, seed=seed, field=field, metadata=metadata), sizes)
    query = select(chosen.c.id).order_by(chosen.c.place, chosen.c.first, chosen.c.turn)
    return list((await connection.execute(query)).scalars())


def _chosen(placed: Subquery, sizes: Mapping[str | None, int]) -> Subquery:
    # All turns of a conversation have the same rank, so a conversation is taken completely or not at all.
    rank = func.rank().over(partition_by=placed.c.value, order_by=(placed.c.place, placed.c.first))
    ranked = select(*placed.c, rank.label("rank")).subquery()
    sampled = (
        func.unnest(cast(list(sizes), ARRAY(Text)), cast(list(sizes.values()), ARRAY(BigInteger)))
        .table_valued("value", "size")
        .render_derived(with_types=False)
    )
    return (
        select(ranked)
        .join(sampled, sampled.c.value.is_not_distinct_from(ranked.c.value))
        .where(ranked.c.rank <= cast(sampled.c.size, Integer))
        .subquery()
    )


async def name_annotation_task(connection: AsyncConnection, version_id: UUID, task_id: UUID) -> None:
    """Store `task_id`, the id of an annotation task, as the origin of the version's ground truths. Only those that are
    a human consensus are changed."""
    cases = select(test_case.c.id).where(test_case.c.version_id == version_id)
    of_people = ground_truth.c.source == TruthSource.HUMAN_CONSENSUS
    await connection.execute(
        update(ground_truth).where(ground_truth.c.test_case_id.in_(cases), of_people).values(annotation_task_id=task_id)
    )


async def delete_cases(connection: AsyncConnection, version_id: UUID) -> None:
    await connection.execute(delete(test_case).where(test_case.c.version_id == version_id))


async def find_case(connection: AsyncConnection, version_id: UUID, id_: UUID) -> TestCaseOut | None:
    query = _shown.where(test_case.c.version_id == version_id, test_case.c.id == id_)
    row = (await connection.execute(query)).one_or_none()
    return _out(row) if row else None


async def digest_of(connection: AsyncConnection, id_: UUID) -> bytes:
    """Return the digest of an existing case's content."""
    digest: bytes = (await connection.execute(select(test_case.c.digest).where(test_case.c.id == id_))).scalar_one()
    return digest


async def has_name(connection: AsyncConnection, version_id: UUID, case: Case) -> bool:
    """Return whether a case of the version has the same name as `case`."""
    query = select(test_case.c.id).where(test_case.c.version_id == version_id, test_case.c.name == case.name)
    return (await connection.execute(query)).first() is not None


async def replace_case(connection: AsyncConnection, id_: UUID, case: Case) -> None:
    """Replace name, content and ground truth of a case. Its position stays."""
    values = {
        "name": case.name,
        "digest": case.digest,
        "input": case.input,
        "expected_output": case.expected_output,
        "metadata": case.metadata,
        "checks": case.checks,
    }
    await connection.execute(update(test_case).where(test_case.c.id == id_).values(values))
    if case.truth is None:
        await connection.execute(delete(ground_truth).where(ground_truth.c.test_case_id == id_))
        return
    truth = {"value": case.truth, "source": case.source.value, "confidence": case.confidence}
    statement = insert(ground_truth).values({"id": new_id(), "test_case_id": id_, **truth})
    await connection.execute(
        statement.on_conflict_do_update(index_elements=["test_case_id"], set_={**truth, "updated_at": func.now()})
    )


async def delete_some(connection: AsyncConnection, version_id: UUID, ids: Sequence[UUID]) -> int:
    """Delete the version's cases `ids` and return how many existed. Later cases are renumbered without gaps."""
    selected = (test_case.c.version_id == version_id, test_case.c.id.in_(ids))
    gone = list(
        (await connection.execute(delete(test_case).where(*selected).returning(test_case.c.row_index))).scalars()
    )
    if not gone:
        return 0
    first = min(gone)
    later = (
        select(test_case.c.id, func.row_number().over(order_by=test_case.c.row_index).label("rank"))
        .where(test_case.c.version_id == version_id, test_case.c.row_index > first)
        .subquery()
    )
    # PostgreSQL checks the unique constraint row by row, so rows first get unused negative numbers, then the final
    # ones.
    away = -(first + later.c.rank)
    await connection.execute(update(test_case).where(test_case.c.id == later.c.id).values(row_index=away))
    moved = (test_case.c.version_id == version_id, test_case.c.row_index < 0)
    await connection.execute(update(test_case).where(*moved).values(row_index=-test_case.c.row_index - 1))
    return len(gone)


async def torn_conversation(connection: AsyncConnection, version_id: UUID) -> Row[Any] | None:
    """Return a conversation that lacks a turn before its last one; `None` if all conversations are complete.

    The result has the conversation's `name`, the number of its `turns`, and the number of its `last` turn.
    """
    name, turn = test_case.c.input["conversation_id"].astext, cast(test_case.c.input["turn"].astext, Integer)
    turns, last = func.count().label("turns"), func.max(turn).label("last")
    query = select(name.label("name"), turns, last).where(test_case.c.version_id == version_id, name.is_not(None))
    query = query.group_by(name).having(func.count() < func.max(turn)).order_by(name).limit(1)
    return (await connection.execute(query)).one_or_none()


async def content_hash(connection: AsyncConnection, version_id: UUID) -> str:
    """Return the hash of all cases in order. Versions with the same cases in the same order have the same hash."""
    in_order = aggregate_order_by(literal(b"", LargeBinary), test_case.c.row_index)
    digests = func.coalesce(func.string_agg(test_case.c.digest, in_order), literal(b"", LargeBinary))
    query = select(func.encode(func.sha256(digests), "hex")).where(test_case.c.version_id == version_id)
    value: str = (await connection.execute(query)).scalar_one()
    return value

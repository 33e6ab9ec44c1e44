"""Store baselines, their history and their gates in PostgreSQL."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, Select, Uuid, cast, delete, func, insert, select, true, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.db import tables as t
from llmbench.ids import new_id
from orchestrator.baselines.ports.schemas import BaselineOut, PromotedRun, Promotion, SavedGate
from orchestrator.baselines.ports.store import (
    BaselineGone,
    GateExists,
    GateSettings,
    LabelTaken,
    NewBaseline,
    NewPromotion,
    RunGone,
)
from orchestrator.comparison.domain.planning import LEAST_POWER
from orchestrator.comparison.handlers.gate_metric import titled
from orchestrator.kernel.adapters.subjects import columns_of, is_of, names_of, subject_columns, subject_of
from orchestrator.kernel.domain.subject import Subject, SubjectKind
from orchestrator.results.ports.gate_schemas import Role, SubjectOut

_UNIQUE_VIOLATION: Final = "23505"
_FOREIGN_KEY_VIOLATION: Final = "23503"
_PERSON: Final = cast(func.nullif(func.current_setting("app.actor", true()), ""), Uuid)
"""The person whose request it is; null without sign-in."""
_RUN: Final = t.run.alias("baseline_run")
_ANCHOR: Final = t.run.alias("anchor_run")
_GATES: Final = select(t.gate, *subject_columns(t.baseline)).join(t.baseline, t.baseline.c.id == t.gate.c.baseline_id)


class PostgresBaselineStore:
    """Implement the port `BaselineStore` in PostgreSQL."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def subject_name(self, subject: Subject) -> str | None:
        async with self._engine.connect() as connection:
            return (await names_of(connection, [subject])).get(subject)

    async def baselines(
        self, subject: Subject | None, label: str | None, *, after: UUID | None, limit: int
    ) -> list[BaselineOut]:
        query = _baselines().order_by(t.baseline.c.id).limit(limit)
        if subject is not None:
            query = query.where(is_of(t.baseline, subject))
        if label is not None:
            query = query.where(t.baseline.c.label == label)
        if after is not None:
            query = query.where(t.baseline.c.id > after)
        async with self._engine.connect() as connection:
            return await _read(connection, query)

    async def baseline(self, id_: UUID) -> BaselineOut | None:
        async with self._engine.connect() as connection:
            found = await _read(connection, _baselines().where(t.baseline.c.id == id_))
        return found[0] if found else None

    async def create(self, new: NewBaseline) -> UUID:
        id_ = new_id()
        values = {"id": id_, "label": new.label, "run_id": new.run_id, "anchor_run_id": new.run_id}
        with _refused(taken=LabelTaken, gone=RunGone):
            async with self._engine.begin() as connection:
                await connection.execute(insert(t.baseline).values(values | columns_of(new.subject)))
                await _remember(connection, id_, new.run_id, new.run_name, Role.BOTH, new.note)
        return id_

    async def promote(self, id_: UUID, new: NewPromotion) -> bool:
        changes: dict[str, Any] = {"updated_at": func.now()}
        if new.role is not Role.ANCHOR:
            changes["run_id"] = new.run_id
        if new.role is not Role.BASELINE:
            changes["anchor_run_id"] = new.run_id
        with _refused(taken=LabelTaken, gone=RunGone):
            async with self._engine.begin() as connection:
                changing = update(t.baseline).where(t.baseline.c.id == id_).values(changes)
                if not (await connection.execute(changing)).rowcount:
                    return False
                await _remember(connection, id_, new.run_id, new.run_name, new.role, new.note)
                for gate_id, (probability, clusters) in new.planned.items():
                    planned = {"probability_fine": probability, "clusters": clusters}
                    await connection.execute(update(t.gate).where(t.gate.c.id == gate_id).values(planned))
        return True

    async def history(self, id_: UUID, *, before: UUID | None, limit: int) -> list[Promotion]:
        told = t.baseline_promotion.c
        query = select(t.baseline_promotion).where(told.baseline_id == id_).order_by(told.id.desc()).limit(limit)
        if before is not None:
            query = query.where(told.id < before)
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return [Promotion.model_validate(dict(row)) for row in rows]

    async def delete(self, id_: UUID) -> bool:
        async with self._engine.begin() as connection:
            return (await connection.execute(delete(t.baseline).where(t.baseline.c.id == id_))).rowcount > 0

    async def gate(self, id_: UUID) -> SavedGate | None:
        async with self._engine.connect() as connection:
            row = (await connection.execute(_GATES.where(t.gate.c.id == id_))).mappings().one_or_none()
        return None if row is None else _gate(row)

    async def add_gate(self, baseline_id: UUID, settings: GateSettings) -> UUID:
        id_ = new_id()
        with _refused(taken=GateExists, gone=BaselineGone):
            async with self._engine.begin() as connection:
                await connection.execute(insert(t.gate).values(id=id_, baseline_id=baseline_id, **vars(settings)))
        return id_

    async def change_gate(self, id_: UUID, settings: GateSettings) -> bool:
        changing = update(t.gate).where(t.gate.c.id == id_).values(**vars(settings), updated_at=func.now())
        with _refused(taken=GateExists, gone=BaselineGone):
            async with self._engine.begin() as connection:
                return (await connection.execute(changing)).rowcount > 0

    async def delete_gate(self, id_: UUID) -> bool:
        async with self._engine.begin() as connection:
            return (await connection.execute(delete(t.gate).where(t.gate.c.id == id_))).rowcount > 0


def _baselines() -> Select[Any]:
    return (
        select(t.baseline, _RUN.c.name.label("run_name"), _ANCHOR.c.name.label("anchor_name"))
        .join(_RUN, _RUN.c.id == t.baseline.c.run_id)
        .join(_ANCHOR, _ANCHOR.c.id == t.baseline.c.anchor_run_id)
    )


async def _read(connection: AsyncConnection, query: Select[Any]) -> list[BaselineOut]:
    rows = (await connection.execute(query)).mappings().all()
    subjects = {row["id"]: subject for row in rows if (subject := subject_of(row)) is not None}
    names = await names_of(connection, subjects.values())
    gates = await _gates(connection, [row["id"] for row in rows])
    return [
        BaselineOut(
            id=row["id"],
            subject=SubjectOut(kind=subject.kind, id=subject.id, name=names.get(subject, "")),
            label=row["label"],
            run=PromotedRun(id=row["run_id"], name=row["run_name"]),
            anchor=PromotedRun(id=row["anchor_run_id"], name=row["anchor_name"]),
            gates=gates.get(row["id"], []),
            probability_fine=_by_all(gates.get(row["id"], [])),
            created_at=row["created_at"],
            updated_at=row["updated_at"],
        )
        for row in rows
        if (subject := subjects.get(row["id"])) is not None
    ]


def _by_all(gates: Sequence[SavedGate]) -> float | None:
    """Return the probability that every gate gives an unchanged model the verdict *fine*. It is computed as if the
    gates were independent. Return `None` without a gate."""
    return math.prod(gate.probability_fine for gate in gates) if gates else None


async def _gates(connection: AsyncConnection, baseline_ids: Sequence[UUID]) -> dict[UUID, list[SavedGate]]:
    gates: dict[UUID, list[SavedGate]] = {}
    query = _GATES.where(t.gate.c.baseline_id.in_(baseline_ids)).order_by(t.gate.c.id)
    for row in (await connection.execute(query)).mappings():
        gates.setdefault(row["baseline_id"], []).append(_gate(row))
    return gates


def _gate(row: RowMapping) -> SavedGate:
    subject = subject_of(row)
    of_suite = subject is not None and subject.kind is SubjectKind.SUITE
    named = titled(row["metric"], row["task"], of_suite=of_suite)
    shown = {"title": named.title, "relative": named.relative, "holds": row["probability_fine"] >= LEAST_POWER}
    return SavedGate.model_validate(dict(row) | shown)


async def _remember(
    connection: AsyncConnection, baseline_id: UUID, run_id: UUID, run_name: str, role: Role, note: str | None
) -> None:
    values = {"id": new_id(), "baseline_id": baseline_id, "run_id": run_id, "run_name": run_name}
    promotion = insert(t.baseline_promotion).values(**values, role=role, note=note, created_by=_PERSON)
    await connection.execute(promotion)


@contextmanager
def _refused(*, taken: type[Exception], gone: type[Exception]) -> Iterator[None]:
    """Raise `taken` if the code in the `with` block violates a unique constraint. Raise `gone` if the code refers to a
    row that was deleted."""
    try:
        yield
    except IntegrityError as error:
        code = getattr(error.orig, "sqlstate", None)
        if code == _UNIQUE_VIOLATION:
            raise taken from None
        if code == _FOREIGN_KEY_VIOLATION:
            raise gone from None
        raise

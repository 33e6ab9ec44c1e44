"""Create evaluations: store a run with supplied answers and its webhook in one transaction. The run starts at once or
is queued.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Integer, Uuid, bindparam, cast, insert, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from llmbench.contracts.case import Case
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_logged import RunLogged
from llmbench.contracts.run_progressed import RunProgressed
from llmbench.contracts.run_status_changed import RunStatusChanged
from llmbench.contracts.run_words import GroupStatus, ItemStatus, RunPhase, RunStatus
from llmbench.db import tables as t
from llmbench.db.secrets import SecretBox
from llmbench.errors import FieldError, Problem
from llmbench.ids import new_id
from orchestrator.evaluations.domain.evaluation import Candidate, GivenAnswer, chosen
from orchestrator.evaluations.domain.placement import Active, Held
from orchestrator.evaluations.ports.evaluations import NewEvaluation, Outputs
from orchestrator.kernel.adapters.limits import check_limits, count_run
from orchestrator.kernel.domain.blocks import cut
from orchestrator.kernel.domain.local_provider import is_local
from orchestrator.results.adapters.changes import create_blocks
from orchestrator.runs.adapters.clusters import cluster_items
from orchestrator.runs.adapters.evaluators import hold_providers, read_providers
from orchestrator.runs.adapters.event_log import publish_first
from orchestrator.runs.adapters.idempotency import remember_key
from orchestrator.runs.adapters.new_items import TEST_CASES, hold_versions, require_evaluators
from orchestrator.runs.adapters.run_factory import PostgresRunFactory

MAX_ANSWERS: Final = 100_000
_CHUNK: Final = 1_000
_OVER: Final = (GroupStatus.CLOSED, GroupStatus.FAILED)
_CASES: Final = text(f"{TEST_CASES} WHERE test_case.id = ANY (:ids) ORDER BY test_case.row_index").bindparams(
    bindparam("ids", type_=ARRAY(Uuid))
)


class PostgresEvaluationFactory(PostgresRunFactory):
    """Implement the port `EvaluationFactory` in PostgreSQL. A provider at one of the hosts `hosted` does not count as
    local, even if its address is private."""

    def __init__(self, engine: AsyncEngine, box: SecretBox, *, hosted: frozenset[str] = frozenset()) -> None:
        super().__init__(engine, box)
        self._hosted = hosted

    async def every_provider(self) -> dict[UUID, ProviderSnapshot]:
        async with self._engine.connect() as connection:
            return await read_providers(connection, select(t.provider).order_by(t.provider.c.name))

    async def active(self) -> Active | None:
        active = await self.active_run()
        if active is None:
            return None
        run_id, name = active
        query = select(t.run_group).where(
            t.run_group.c.run_id == run_id, t.run_group.c.model.is_not(None), t.run_group.c.status.not_in(_OVER)
        )
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query)).mappings().all()
        held = [
            Held(
                (row["provider_id"], row["model"]),
                local=is_local(ProviderSnapshot.model_validate(row["provider"]), hosted=self._hosted),
                concurrency=row["concurrency"],
            )
            for row in rows
        ]
        return Active(name, held, run_id)

    async def evaluate(self, new: NewEvaluation, now: datetime) -> UUID:
        run_id = new_id()
        async with self._engine.begin() as connection:
            limits = await check_limits(connection, concurrency=new.run.concurrency, field="parallelism", now=now)
            providers = await hold_providers(connection, set(new.providers))
            await hold_versions(connection, new.run)
            answers, sampled = await _answers(connection, new)
            run = replace(new.run, evaluation={**(new.run.evaluation or {}), "sample": sampled})
            items = len(answers) * new.epochs
            blocks = cut(cases=len(answers), answers=new.epochs)
            await self._insert_run(connection, run_id, run, providers, new.warnings, blocks, now)
            # The request supplied all answers, so the run starts with all items answered.
            await connection.execute(update(t.run).where(t.run.c.id == run_id).values(answered_count=items))
            target_id = await _insert_target(connection, run_id, new)
            await self._insert_evaluators(connection, run_id, run, new.evaluators, providers, position=0, kept=new.kept)
            await _insert_items(connection, run_id, target_id, answers, new.epochs)
            await require_evaluators(connection, run_id)
            if any(answer.case.metadata or answer.case.conversation_id for answer in answers):
                await cluster_items(connection, run_id, None)
            await create_blocks(connection, run_id, blocks)
            if run.webhook is not None:
                await self._insert_webhook(connection, run_id, run.webhook)
            if run.idempotency is not None:
                await remember_key(connection, run_id, run.idempotency)
            await count_run(connection, limits, now)
            await publish_first(connection, run_id, _events(run_id, new, items, now))
        return run_id


async def _answers(connection: AsyncConnection, new: NewEvaluation) -> tuple[list[GivenAnswer], dict[str, Any] | None]:
    """Return the answers to score, and how they were sampled (`None` without sampling).

    Raises a 422 `Problem` if there is no answer, there are too many, or an output belongs to no case of the version.
    """
    outputs, sampling = new.outputs, new.sampling
    if outputs.version_id is None:
        stratum = sampling.stratify_by if sampling else ""
        candidates = [
            Candidate(digest, _text(answer.case.metadata.get(stratum)), answer.case.conversation_id, answer.case.turn)
            for answer, digest in zip(outputs.given, outputs.digests, strict=True)
        ]
        places = chosen(candidates, sampling) if sampling else range(len(candidates))
        answers = [outputs.given[place] for place in places]
    else:
        candidates, answers = await _of_version(connection, outputs, new)
    if len(answers) > MAX_ANSWERS:
        message = f"{len(answers):,} outputs are more than the {MAX_ANSWERS:,} of one batch: sample them, or send parts"
        raise _invalid("config.sample_rate", message)
    if not answers:
        raise _invalid("file", "there is no output to score")
    if sampling is None:
        return answers, None
    by = sampling.stratify_by if sampling.strategy == "stratified" else None
    return answers, {
        "rate": sampling.rate,
        "strategy": sampling.strategy,
        "stratify_by": by,
        "seed": sampling.seed,
        "of": len(candidates),
    }


async def _of_version(
    connection: AsyncConnection, outputs: Outputs, new: NewEvaluation
) -> tuple[list[Candidate], list[GivenAnswer]]:
    """Return the cases of a dataset version as candidates for sampling, and the answers to the sampled cases.

    The answers come from a file or from the cases' metadata. Raises a 422 `Problem` if the metadata of a case has no
    answer. Also raises one if the file names a case that the version does not have.
    """
    stratum = new.sampling.stratify_by if new.sampling else ""
    query = (
        select(
            t.test_case.c.id,
            t.test_case.c.name,
            t.test_case.c.digest,
            t.test_case.c.metadata[stratum].astext.label("stratum"),
            t.test_case.c.input["conversation_id"].astext.label("conversation"),
            cast(t.test_case.c.input["turn"].astext, Integer).label("turn"),
            (t.test_case.c.metadata[outputs.field].astext.is_not(None)).label("has_output"),
        )
        .where(t.test_case.c.version_id == outputs.version_id)
        .order_by(t.test_case.c.row_index)
    )
    rows = list(await connection.execute(query))
    by_case: dict[str, str] | None = None
    if outputs.from_file is None:
        lacking = [row.name for row in rows if not row.has_output]
        if lacking:
            shown = ", ".join(lacking[:3])
            message = (
                f"{len(lacking)} of {len(rows)} cases have no '{outputs.field}' in their metadata ({shown} …): "
                "name the field in config.output_field, or send a file of outputs"
            )
            raise _invalid("dataset_version_id", message)
    else:
        names = {row.name for row in rows}
        _require_known(outputs, names)
        by_case = {output.case_name: output.output for output in outputs.from_file}
        rows = [row for row in rows if row.name in by_case]
    candidates = [Candidate(bytes(row.digest), row.stratum, row.conversation, row.turn) for row in rows]
    places = chosen(candidates, new.sampling) if new.sampling else range(len(rows))
    ids = [rows[place].id for place in places]
    answers: list[GivenAnswer] = []
    for first in range(0, min(len(ids), MAX_ANSWERS + 1), _CHUNK):
        for row in (await connection.execute(_CASES, {"ids": ids[first : first + _CHUNK]})).mappings():
            case = Case.model_validate(row["case"])
            if by_case is None:
                other_metadata = {name: value for name, value in case.metadata.items() if name != outputs.field}
                answer = _text(case.metadata[outputs.field]) or ""
                answers.append(GivenAnswer(case.model_copy(update={"metadata": other_metadata}), answer))
            else:
                answers.append(GivenAnswer(case, by_case[case.task_id]))
    return candidates, answers


def _require_known(outputs: Outputs, names: set[str]) -> None:
    unknown = [output for output in outputs.from_file or () if output.case_name not in names]
    if not unknown:
        return
    bad = [
        {"line": output.line, "field": "id", "message": f"the version has no case '{output.case_name[:80]}'"}
        for output in unknown[:100]
    ]
    raise Problem(
        422,
        "Bad rows",
        f"{len(unknown)} rows name no case of the version; the first is row {unknown[0].line}",
        errors=[FieldError(f"{fault['line']}.id", str(fault["message"])) for fault in bad],
        extra={"row_count": len(outputs.from_file or ()), "bad_row_count": len(unknown), "bad_rows": bad},
    )


def _text(value: Any) -> str | None:
    """Return a text or `None` unchanged, and any other value converted with `str`."""
    return value if value is None or isinstance(value, str) else str(value)


async def _insert_target(connection: AsyncConnection, run_id: UUID, new: NewEvaluation) -> UUID:
    target_id = new_id()
    values = {
        "id": target_id,
        "run_id": run_id,
        "position": 0,
        "label": new.answerer.label,
        "provider_name": new.answerer.provider_name,
        "model": new.answerer.model,
        "epochs": new.epochs,
        "timeout_s": new.run.timeout_s,
        "max_attempts": new.run.max_attempts,
    }
    await connection.execute(insert(t.target).values(values))
    return target_id


async def _insert_items(
    connection: AsyncConnection, run_id: UUID, target_id: UUID, answers: Sequence[GivenAnswer], epochs: int
) -> None:
    for first in range(0, len(answers) * epochs, _CHUNK):
        rows = [
            {
                "id": new_id(),
                "run_id": run_id,
                "target_id": target_id,
                "given_answer": answer.answer,
                "position": position,
                "epoch": position // len(answers) + 1,
                "task_id": answer.case.task_id,
                "category": answer.case.category,
                "subcategory": answer.case.subcategory,
                "conversation_id": answer.case.conversation_id,
                "turn": answer.case.turn,
                "case": answer.case.model_dump(mode="json", exclude_none=True),
                "status": ItemStatus.WAITING_FOR_JUDGE,
            }
            for position in range(first, min(first + _CHUNK, len(answers) * epochs))
            for answer in (answers[position % len(answers)],)
        ]
        await connection.execute(insert(t.item), rows)


def _events(run_id: UUID, new: NewEvaluation, items: int, now: datetime) -> list[Any]:
    phase = RunPhase.BENCHMARKING
    status = RunStatus.QUEUED if new.run.queued else RunStatus.RUNNING
    outputs = f"{items} outputs of {new.answerer.label}"
    return [
        RunStatusChanged(run_id=run_id, at=now, status=status, phase=phase),
        RunProgressed(run_id=run_id, at=now, phase=phase, items=items, answered=items, judged=0, failed=0),
        RunLogged(run_id=run_id, at=now, text=f"{'queued' if new.run.queued else 'started'}: {outputs}"),
        *(RunLogged(run_id=run_id, at=now, level="warning", text=warning.message) for warning in new.warnings),
    ]


def _invalid(field: str, message: str) -> Problem:
    return Problem(422, "Invalid evaluation", f"{field}: {message}", errors=[FieldError(field, message)])

"""The tables of calibrations: how far a judge agrees with people, and the labelled answers behind each calibration."""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    Uuid,
    text,
)

from llmbench.db.columns import actor_column, id_column, json_column, now_column, org_column, owner_column
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

calibration = Table(
    "calibration",
    metadata,
    id_column(),
    org_column(),
    Column("name", Text, nullable=False),
    # A calibration outlives its run and its annotation task: it has copies of what is shown.
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="SET NULL")),
    Column("run_name", Text, nullable=False),
    Column("evaluator_revision_id", Uuid, ForeignKey("evaluator_revision.id", ondelete="RESTRICT"), nullable=False),
    # The name of the evaluator in the run.
    Column("evaluator_title", Text, nullable=False),
    Column("annotation_task_id", Uuid, ForeignKey("annotation_task.id", ondelete="SET NULL")),
    # The name of the task and its question, or that of the file.
    json_column("source"),
    # The levels of the labels, and the level from which an answer passes.
    json_column("scale"),
    Column("answers", Integer, nullable=False),
    Column("labels", Integer, nullable=False),
    Column("annotators", Integer, nullable=False),
    # The figures as they were computed when the calibration was created.
    json_column("figures"),
    now_column("created_at"),
    actor_column(),
    Index(None, "org_id", "id"),
    Index(None, "run_id"),
    Index(None, "evaluator_revision_id"),
    Index(None, "annotation_task_id"),
    info=owned_by("orchestrator"),
)

calibration_answer = Table(
    "calibration_answer",
    metadata,
    Column("calibration_id", Uuid, ForeignKey("calibration.id", ondelete="CASCADE"), primary_key=True),
    # The item of the run. It is no foreign key, because labels outlive the run.
    Column("item_id", Uuid, primary_key=True),
    Column("target", Text, nullable=False),
    Column("task_id", Text, nullable=False),
    Column("epoch", Integer, nullable=False),
    # The judge's score and the consensus of people, both on the scale of the labels.
    Column("judge", Float, nullable=False),
    Column("consensus", Float, nullable=False),
    # The label of each person by name.
    json_column("labels"),
    # True if the answer belongs to the random slice of the annotation task. Only this slice corrects the judge's
    # figures.
    Column("is_audit", Boolean, nullable=False, server_default=text("false")),
    owner_column(),
    info=owned_by("orchestrator"),
)

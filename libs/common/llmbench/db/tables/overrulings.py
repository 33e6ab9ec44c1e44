"""The table of the scores that people gave instead of a judge's."""

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
)

from llmbench.db.columns import actor_column, id_column, now_column, owner_column
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

overruling = Table(
    "overruling",
    metadata,
    id_column(),
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), nullable=False),
    Column("item_id", Uuid, ForeignKey("item.id", ondelete="CASCADE"), nullable=False),
    # The revision of the judge. Rows are only added: of those for an item and a revision, the highest number is valid.
    Column("evaluator_revision_id", Uuid, nullable=False),
    Column("number", Integer, nullable=False),
    # The judge's score at that time, and the person's, on the evaluator's scale. A null score withdraws the one before.
    Column("judge_score", Float, nullable=False),
    Column("score", Float),
    Column("reason", Text),
    # The name that a person gave without sign-in; `created_by` is the person who signed in.
    Column("given_name", Text),
    now_column("created_at"),
    actor_column(),
    ForeignKeyConstraint(
        ["run_id", "evaluator_revision_id"],
        ["run_evaluator.run_id", "run_evaluator.evaluator_revision_id"],
        ondelete="CASCADE",
    ),
    UniqueConstraint("item_id", "evaluator_revision_id", "number"),
    CheckConstraint("score IS NULL OR reason IS NOT NULL", name="reason"),
    Index(None, "run_id", "evaluator_revision_id"),
    owner_column(),
    info=owned_by("orchestrator"),
)

"""What a run comes to, counted block by block. Written by the orchestrator.

A block is some cases of a run with all their answers. Whoever changes an item or a score raises its block's `version`
in the same transaction; whoever wants figures counts those blocks again whose version moved on, and sums.
"""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    Table,
    Text,
    Uuid,
)
from sqlalchemy.dialects.postgresql import JSONB

from llmbench.db.columns import counter_column
from llmbench.db.tables.metadata import metadata

run_block = Table(
    "run_block",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("block", Integer, primary_key=True),
    counter_column("version", BigInteger),
)

# Its foreign key is to the block, not to the run, whose row is locked by whoever leads it.
counted_block = Table(
    "counted_block",
    metadata,
    Column("run_id", Uuid, primary_key=True),
    Column("block", Integer, primary_key=True),
    Column("version", BigInteger, nullable=False),
    # The place of the last evaluator that was asked about the whole run: blocks that differ in it are not summed.
    Column("evaluators", Integer, nullable=False),
    ForeignKeyConstraint(["run_id", "block"], ["run_block.run_id", "run_block.block"], ondelete="CASCADE"),
)


def _of_block() -> "ForeignKeyConstraint":
    return ForeignKeyConstraint(
        ["run_id", "block"], ["counted_block.run_id", "counted_block.block"], ondelete="CASCADE"
    )


def _count(name: str) -> "Column[object]":
    return Column(name, BigInteger, nullable=False)


def _sum(name: str) -> "Column[object]":
    return Column(name, Float, nullable=False)


# Clusters of a run with items in more than one block: no block can count them alone, so their sums are kept.
spanning_cluster = Table(
    "spanning_cluster",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("cluster", Text, primary_key=True),
)

# Of a block the items of one target, or of one category, or all. Of the clusters that lie within the block: their
# number, and the sums of x * x, x * n and n * n, where n items of the cluster are scored with x in all. The same again
# of verdicts, of which the `pass_` columns are: n is how many items of the cluster have one, x how many passed.
block_figure = Table(
    "block_figure",
    metadata,
    Column("run_id", Uuid, nullable=False),
    Column("block", Integer, nullable=False),
    Column("target_id", Uuid),
    Column("category", Text),
    *map(_count, ("items", "completed", "failed", "scored", "verdicts", "passed", "clusters", "nn")),
    *map(_sum, ("x", "xx", "xn")),
    *map(_count, ("pass_clusters", "pass_nn", "pass_xx", "pass_xn")),
    *map(_count, ("timed", "cached", "first_tokens", "time_ms", "first_token_ms", "generated_tokens")),
    _sum("generating_s"),
    *map(_count, ("prompt_tokens", "completion_tokens", "reasoning_tokens", "estimated_usage", "priced")),
    # Answers that ended at their token limit.
    _count("cut"),
    _sum("cost_usd"),
    _of_block(),
    CheckConstraint("num_nulls(target_id, category) >= 1", name="part"),
    Index(None, "run_id", "block"),
)

# Of a block the scores of one evaluator revision, of all targets (null) or of one.
block_score_figure = Table(
    "block_score_figure",
    metadata,
    Column("run_id", Uuid, nullable=False),
    Column("block", Integer, nullable=False),
    Column("evaluator_revision_id", Uuid, nullable=False),
    Column("target_id", Uuid),
    *map(_count, ("asked", "scored", "unparsed", "refused", "errored", "pending", "verdicts", "passed", "priced")),
    _sum("cost_usd"),
    *map(_count, ("clusters", "nn")),
    *map(_sum, ("x", "xx", "xn")),
    *map(_count, ("pass_clusters", "pass_nn", "pass_xx", "pass_xn")),
    _of_block(),
    Index(None, "run_id", "block"),
)

# Of a block the part of a spanning cluster that lies in it: `n` results with `x` in all, `verdicts` of which `passed`.
# Of items where the revision is null (of one target, one category, or all), else of that revision's scores.
block_cluster = Table(
    "block_cluster",
    metadata,
    Column("run_id", Uuid, nullable=False),
    Column("block", Integer, nullable=False),
    Column("evaluator_revision_id", Uuid),
    Column("target_id", Uuid),
    Column("category", Text),
    Column("cluster", Text, nullable=False),
    _count("n"),
    _sum("x"),
    *map(_count, ("verdicts", "passed")),
    _of_block(),
    CheckConstraint("num_nulls(target_id, category) >= 1", name="part"),
    Index(None, "run_id", "block"),
)

# What no sum gives: quantiles, rank correlations, histograms, of the whole run as of one version of its blocks.
run_ranking = Table(
    "run_ranking",
    metadata,
    Column("run_id", Uuid, ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("body", JSONB, nullable=False),
    Column("counted_at", DateTime(timezone=True), nullable=False),
    Column("took_s", Float, nullable=False),
)

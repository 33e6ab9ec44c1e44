"""Add the organisation to every row; a session sees only the rows of the organisation that it is bound to

The new columns get a constant default, so PostgreSQL rewrites no table and reads no row. Until now there was one
organisation, to which all rows belong.
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_DEFAULT_ORG = "00000000-0000-7000-8000-000000000001"
_BOUND = "nullif(current_setting('app.org', true), '')::uuid"
_OWNED = (
    "block_cluster",
    "block_figure",
    "block_score_figure",
    "collection_task",
    "config_outbox",
    "counted_block",
    "dataset_version",
    "document_page",
    "ground_truth",
    "item",
    "loose_file",
    "model_call",
    "provider_header",
    "run_block",
    "run_collection",
    "run_dataset_version",
    "run_evaluator",
    "run_event",
    "run_group",
    "run_outbox",
    "run_ranking",
    "score",
    "spanning_cluster",
    "target",
    "test_case",
    "webhook",
)
_ROOTS = (
    "collection",
    "dataset",
    "document",
    "evaluation_preset",
    "evaluator_revision",
    "idempotency_key",
    "provider",
    "run",
    "task",
)


def upgrade() -> None:
    others = sa.text("SELECT count(*) FROM organisation WHERE id <> :default")
    if op.get_bind().execute(others, {"default": _DEFAULT_ORG}).scalar():
        raise RuntimeError("the table organisation has rows that llmbench did not make: remove them, and migrate again")
    for table in _OWNED:
        op.execute(f"ALTER TABLE {table} ADD COLUMN org_id uuid NOT NULL DEFAULT '{_DEFAULT_ORG}'")
    for table in ("model_call", "run_event"):
        # The sample of ANALYZE has as many rows as the most demanding column needs (migration 0013).
        op.execute(f"ALTER TABLE {table} ALTER COLUMN org_id SET STATISTICS 20")
    for table in (*_OWNED, *_ROOTS):
        op.execute(f"ALTER TABLE {table} ALTER COLUMN org_id SET DEFAULT {_BOUND}")
        _isolate(table, "org_id")
    _isolate("organisation", "id")
    op.execute("ALTER TABLE run_group ADD COLUMN local_host text")
    op.execute(_LOCAL_HOST_IS_BUSY)


# A model of a local provider fills its machine. A run has to know whether another organisation uses the machine, and
# nothing else about it. The function therefore runs with the rights of the tables' owner, and returns one bit. Its lock
# ends with the caller's transaction, and later statements see what the transaction that had the lock before committed.
# The setting is changed in the body: only superusers may create functions with a setting of a name of our own.
# "OR REPLACE": a restore drops the tables of the present schema, but not its functions.
_LOCAL_HOST_IS_BUSY = f"""
CREATE OR REPLACE FUNCTION local_host_is_busy(host text, own_run uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  before text := coalesce(current_setting('app.everybody', true), '');
  busy boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('local host ' || host, 0));
  PERFORM set_config('app.everybody', 'on', true);
  busy := EXISTS (
    SELECT FROM run_group JOIN run ON run.id = run_group.run_id
    WHERE run_group.local_host = host AND run_group.status IN ('WARMING_UP', 'OPEN', 'RELEASING')
      AND run.status IN ('RUNNING', 'PAUSING') AND run.id <> own_run
      AND run_group.org_id IS DISTINCT FROM {_BOUND}
  );
  PERFORM set_config('app.everybody', before, true);
  RETURN busy;
END
$$
"""


def _isolate(table: str, owner: str) -> None:
    """Add row-level security to the table: a session sees only the rows of its organisation, and none without an
    organisation. `owner` is the column with the organisation's id.

    The subquery is evaluated once per statement, not once per row. A second policy lets the owner of the tables
    see all rows: backups need this, and so do installations without separate logins.
    """
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON {table} USING ({owner} = (SELECT {_BOUND}))")
    op.execute(
        f"CREATE POLICY owner_for_everybody ON {table} TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )

"""Add `created_by` to suites and schedules, and rename the column `run.beside` to `concurrent`

Rows that were created before have no `created_by`. PostgreSQL reads no row for these changes; the partial index on
active runs follows the renamed column by itself.
"""

from alembic import op

revision = "0046"
down_revision = "0043"
branch_labels = None
depends_on = None

_CREATED = ("suite", "schedule")
_ACTOR = "nullif(current_setting('app.actor', true), '')::uuid"


def upgrade() -> None:
    op.alter_column("run", "beside", new_column_name="concurrent")
    for table in _CREATED:
        op.execute(f"ALTER TABLE {table} ADD COLUMN created_by uuid")
        op.execute(f"ALTER TABLE {table} ALTER COLUMN created_by SET DEFAULT {_ACTOR}")

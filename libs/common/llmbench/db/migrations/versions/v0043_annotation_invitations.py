"""Add links for annotators without an account, and let the answers of runs be labelled"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

_BOUND = "(nullif(current_setting('app.org', true), ''))::uuid"
_ACTOR = "(nullif(current_setting('app.actor', true), ''))::uuid"


def upgrade() -> None:
    op.create_table('annotation_invitation',
    sa.Column('id', sa.Uuid(), nullable=False),
    sa.Column('task_id', sa.Uuid(), nullable=False),
    sa.Column('annotator_id', sa.Uuid(), nullable=False),
    sa.Column('token_hash', sa.LargeBinary(), nullable=False),
    sa.Column('expires_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('revoked_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('used_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('created_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.Column('created_by', sa.Uuid(), server_default=sa.text(_ACTOR), nullable=True),
    sa.Column('org_id', sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
    sa.ForeignKeyConstraint(['annotator_id'], ['annotator.id'], name=op.f('annotation_invitation_annotator_id_fkey'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['task_id'], ['annotation_task.id'], name=op.f('annotation_invitation_task_id_fkey'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('annotation_invitation_pkey')),
    sa.UniqueConstraint('token_hash', name=op.f('annotation_invitation_token_hash_key')),
    )
    op.create_index(op.f('annotation_invitation_annotator_id_idx'), 'annotation_invitation', ['annotator_id'])
    op.create_index(op.f('annotation_invitation_task_id_idx'), 'annotation_invitation', ['task_id'])
    op.add_column('annotation_task', sa.Column('source', postgresql.JSONB(none_as_null=True), nullable=True))
    op.add_column('annotation_item', sa.Column('run_item_id', sa.Uuid(), nullable=True))
    op.add_column('annotation_item', sa.Column('other_run_item_id', sa.Uuid(), nullable=True))
    op.create_index(op.f('annotation_item_run_item_id_idx'), 'annotation_item', ['run_item_id'], postgresql_where=sa.text('run_item_id IS NOT NULL'))
    op.create_check_constraint(op.f('annotation_item_pair_check'), 'annotation_item', 'other_run_item_id IS NULL OR run_item_id IS NOT NULL')
    _isolate('annotation_invitation')


def _isolate(table: str) -> None:
    """Add row-level security to the table, so that a session sees only the rows of its organisation."""
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON {table} USING (org_id = (SELECT {_BOUND}))")
    op.execute(
        f"CREATE POLICY owner_for_everybody ON {table} TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )

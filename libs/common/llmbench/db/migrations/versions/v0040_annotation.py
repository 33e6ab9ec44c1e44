"""Add annotators, annotation tasks with their items, leases of items, and the labels that people give"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0040"
down_revision = "0038"
branch_labels = None
depends_on = None

_BOUND = "(nullif(current_setting('app.org', true), ''))::uuid"
_ACTOR = "(nullif(current_setting('app.actor', true), ''))::uuid"
_TABLES = ("annotator", "annotation_task", "annotation_item", "annotation_lease", "human_annotation")


def upgrade() -> None:
    op.create_table('annotator',
    sa.Column('id', sa.Uuid(), nullable=False),
    sa.Column('org_id', sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
    sa.Column('person_id', sa.Uuid(), nullable=True),
    sa.Column('name', sa.Text(), nullable=False),
    sa.Column('email', sa.Text(), nullable=True),
    sa.Column('expertise_tags', postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
    sa.Column('languages', postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
    sa.Column('status', sa.Text(), server_default=sa.text("'ACTIVE'"), nullable=False),
    sa.Column('total_annotations', sa.Integer(), server_default=sa.text('0'), nullable=False),
    sa.Column('gold_total', sa.Integer(), server_default=sa.text('0'), nullable=False),
    sa.Column('gold_right', sa.Integer(), server_default=sa.text('0'), nullable=False),
    sa.Column('agreement_rate', sa.Float(), nullable=True),
    sa.Column('version', sa.Integer(), server_default=sa.text('1'), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.Column('created_by', sa.Uuid(), server_default=sa.text(_ACTOR), nullable=True),
    sa.Column('updated_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.CheckConstraint("status IN ('ACTIVE', 'INACTIVE', 'BLOCKED')", name=op.f('annotator_status_check')),
    sa.CheckConstraint('gold_right BETWEEN 0 AND gold_total', name=op.f('annotator_gold_check')),
    sa.ForeignKeyConstraint(['org_id'], ['organisation.id'], name=op.f('annotator_org_id_fkey'), ondelete='RESTRICT'),
    sa.PrimaryKeyConstraint('id', name=op.f('annotator_pkey')),
    sa.UniqueConstraint('org_id', 'email', name=op.f('annotator_org_id_email_key')),
    sa.UniqueConstraint('org_id', 'person_id', name=op.f('annotator_org_id_person_id_key')),
    )
    op.create_index(op.f('annotator_org_id_status_idx'), 'annotator', ['org_id', 'status'])
    op.create_table('annotation_task',
    sa.Column('id', sa.Uuid(), nullable=False),
    sa.Column('org_id', sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
    sa.Column('dataset_version_id', sa.Uuid(), nullable=True),
    sa.Column('name', sa.Text(), nullable=False),
    sa.Column('description', sa.Text(), nullable=True),
    sa.Column('instructions', sa.Text(), nullable=False),
    sa.Column('annotation_schema', postgresql.JSONB(none_as_null=True), server_default=sa.text("'{}'"), nullable=False),
    sa.Column('required_annotations_per_item', sa.Integer(), nullable=False),
    sa.Column('allow_skip', sa.Boolean(), nullable=False),
    sa.Column('show_reference', sa.Boolean(), nullable=False),
    sa.Column('time_limit_seconds', sa.Integer(), nullable=True),
    sa.Column('lease_s', sa.Integer(), nullable=False),
    sa.Column('sampling_config', postgresql.JSONB(none_as_null=True), server_default=sa.text("'{}'"), nullable=False),
    sa.Column('status', sa.Text(), nullable=False),
    sa.Column('total_items', sa.Integer(), server_default=sa.text('0'), nullable=False),
    sa.Column('completed_items', sa.Integer(), server_default=sa.text('0'), nullable=False),
    sa.Column('version', sa.Integer(), server_default=sa.text('1'), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.Column('created_by', sa.Uuid(), server_default=sa.text(_ACTOR), nullable=True),
    sa.Column('updated_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.Column('completed_at', sa.DateTime(timezone=True), nullable=True),
    sa.CheckConstraint("status IN ('DRAFT', 'ACTIVE', 'PAUSED', 'COMPLETED')", name=op.f('annotation_task_status_check')),
    sa.CheckConstraint('completed_items BETWEEN 0 AND total_items', name=op.f('annotation_task_completed_check')),
    sa.CheckConstraint('required_annotations_per_item BETWEEN 1 AND 100', name=op.f('annotation_task_required_check')),
    sa.ForeignKeyConstraint(['dataset_version_id'], ['dataset_version.id'], name=op.f('annotation_task_dataset_version_id_fkey'), ondelete='SET NULL'),
    sa.ForeignKeyConstraint(['org_id'], ['organisation.id'], name=op.f('annotation_task_org_id_fkey'), ondelete='RESTRICT'),
    sa.PrimaryKeyConstraint('id', name=op.f('annotation_task_pkey')),
    )
    op.create_index(op.f('annotation_task_dataset_version_id_idx'), 'annotation_task', ['dataset_version_id'])
    op.create_index(op.f('annotation_task_org_id_created_at_id_idx'), 'annotation_task', ['org_id', 'created_at', 'id'])
    op.create_index(op.f('annotation_task_org_id_status_idx'), 'annotation_task', ['org_id', 'status'])
    op.create_table('annotation_item',
    sa.Column('id', sa.Uuid(), nullable=False),
    sa.Column('task_id', sa.Uuid(), nullable=False),
    sa.Column('position', sa.Integer(), nullable=False),
    sa.Column('test_case_id', sa.Uuid(), nullable=True),
    sa.Column('name', sa.Text(), nullable=False),
    sa.Column('content', postgresql.JSONB(none_as_null=True), server_default=sa.text("'{}'"), nullable=False),
    sa.Column('is_audit', sa.Boolean(), server_default=sa.text('false'), nullable=False),
    sa.Column('gold', postgresql.JSONB(none_as_null=True), nullable=True),
    sa.Column('annotations', sa.Integer(), server_default=sa.text('0'), nullable=False),
    sa.Column('done', sa.Boolean(), server_default=sa.text('false'), nullable=False),
    sa.Column('decision', postgresql.JSONB(none_as_null=True), nullable=True),
    sa.Column('decision_reason', sa.Text(), nullable=True),
    sa.Column('decided_by', sa.Uuid(), nullable=True),
    sa.Column('decided_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('org_id', sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
    sa.CheckConstraint('(decision IS NULL) = (decided_at IS NULL)', name=op.f('annotation_item_decided_check')),
    sa.ForeignKeyConstraint(['task_id'], ['annotation_task.id'], name=op.f('annotation_item_task_id_fkey'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['test_case_id'], ['test_case.id'], name=op.f('annotation_item_test_case_id_fkey'), ondelete='SET NULL'),
    sa.PrimaryKeyConstraint('id', name=op.f('annotation_item_pkey')),
    sa.UniqueConstraint('task_id', 'name', name=op.f('annotation_item_task_id_name_key')),
    sa.UniqueConstraint('task_id', 'position', name=op.f('annotation_item_task_id_position_key')),
    )
    op.create_index('annotation_item_open', 'annotation_item', ['task_id', 'position'], postgresql_where=sa.text('NOT done'))
    op.create_index(op.f('annotation_item_test_case_id_idx'), 'annotation_item', ['test_case_id'])
    op.create_table('annotation_lease',
    sa.Column('item_id', sa.Uuid(), nullable=False),
    sa.Column('annotator_id', sa.Uuid(), nullable=False),
    sa.Column('task_id', sa.Uuid(), nullable=False),
    sa.Column('leased_until', sa.DateTime(timezone=True), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.Column('draft', postgresql.JSONB(none_as_null=True), nullable=True),
    sa.Column('org_id', sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
    sa.ForeignKeyConstraint(['annotator_id'], ['annotator.id'], name=op.f('annotation_lease_annotator_id_fkey'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['item_id'], ['annotation_item.id'], name=op.f('annotation_lease_item_id_fkey'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['task_id'], ['annotation_task.id'], name=op.f('annotation_lease_task_id_fkey'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('item_id', 'annotator_id', name=op.f('annotation_lease_pkey')),
    )
    op.create_index(op.f('annotation_lease_annotator_id_idx'), 'annotation_lease', ['annotator_id'])
    op.create_index(op.f('annotation_lease_task_id_annotator_id_leased_until_idx'), 'annotation_lease', ['task_id', 'annotator_id', 'leased_until'])
    op.create_table('human_annotation',
    sa.Column('id', sa.Uuid(), nullable=False),
    sa.Column('task_id', sa.Uuid(), nullable=False),
    sa.Column('item_id', sa.Uuid(), nullable=False),
    sa.Column('annotator_id', sa.Uuid(), nullable=False),
    sa.Column('labels', postgresql.JSONB(none_as_null=True), server_default=sa.text("'{}'"), nullable=False),
    sa.Column('time_spent_seconds', sa.Integer(), nullable=False),
    sa.Column('skipped', sa.Boolean(), server_default=sa.text('false'), nullable=False),
    sa.Column('skip_reason', sa.Text(), nullable=True),
    sa.Column('flagged', sa.Boolean(), server_default=sa.text('false'), nullable=False),
    sa.Column('flag_reason', sa.Text(), nullable=True),
    sa.Column('note', sa.Text(), nullable=True),
    sa.Column('surplus', sa.Boolean(), server_default=sa.text('false'), nullable=False),
    sa.Column('agreement_score', sa.Float(), nullable=True),
    sa.Column('created_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.Column('updated_at', sa.DateTime(timezone=True), server_default=sa.text('now()'), nullable=False),
    sa.Column('org_id', sa.Uuid(), server_default=sa.text(_BOUND), nullable=False),
    sa.CheckConstraint('NOT (skipped AND surplus)', name=op.f('human_annotation_surplus_check')),
    sa.ForeignKeyConstraint(['annotator_id'], ['annotator.id'], name=op.f('human_annotation_annotator_id_fkey'), ondelete='RESTRICT'),
    sa.ForeignKeyConstraint(['item_id'], ['annotation_item.id'], name=op.f('human_annotation_item_id_fkey'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['task_id'], ['annotation_task.id'], name=op.f('human_annotation_task_id_fkey'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('human_annotation_pkey')),
    sa.UniqueConstraint('task_id', 'item_id', 'annotator_id', name=op.f('human_annotation_task_id_item_id_annotator_id_key')),
    )
    op.create_index(op.f('human_annotation_annotator_id_task_id_idx'), 'human_annotation', ['annotator_id', 'task_id'])
    op.create_index(op.f('human_annotation_item_id_idx'), 'human_annotation', ['item_id'])
    op.create_index(op.f('human_annotation_task_id_created_at_idx'), 'human_annotation', ['task_id', 'created_at'])
    # Truths of earlier versions came from no annotation task.
    op.add_column("ground_truth", sa.Column("annotation_task_id", sa.Uuid(), nullable=True))
    for table in _TABLES:
        _isolate(table)


def _isolate(table: str) -> None:
    """Add row-level security to the table, so that a session sees only the rows of its organisation."""
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY organisation ON {table} USING (org_id = (SELECT {_BOUND}))")
    op.execute(
        f"CREATE POLICY owner_for_everybody ON {table} TO CURRENT_USER "
        "USING (current_setting('app.everybody', true) = 'on')"
    )

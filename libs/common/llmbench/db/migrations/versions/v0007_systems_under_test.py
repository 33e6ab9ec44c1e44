"""Let a provider be a service with a JSON API of its own, and a case be one turn of a conversation"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_TYPES = ("OPENAI", "OLLAMA", "LM_STUDIO", "OPENROUTER", "AZURE_OPENAI", "CUSTOM_OPEN_AI_COMPATIBLE", "HTTP_JSON")


def upgrade() -> None:
    listed = ", ".join(f"'{type_}'" for type_ in _TYPES)
    op.drop_constraint(op.f("provider_type_check"), "provider", type_="check")
    op.create_check_constraint(op.f("provider_type_check"), "provider", f"type IN ({listed})")

    op.add_column(
        "run", sa.Column("max_conversation_history", sa.Integer(), server_default=sa.text("10"), nullable=False)
    )
    op.add_column("item", sa.Column("conversation_id", sa.Text()))
    op.add_column("item", sa.Column("turn", sa.Integer()))
    op.add_column("item", sa.Column("previous_id", sa.Uuid()))
    op.create_check_constraint(op.f("item_turn_check"), "item", "num_nulls(conversation_id, turn) IN (0, 2)")
    op.create_index(
        "item_conversation",
        "item",
        ["target_id", "conversation_id", "epoch", "turn"],
        postgresql_where=sa.text("conversation_id IS NOT NULL"),
    )

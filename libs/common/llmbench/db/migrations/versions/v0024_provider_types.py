"""Drop the CHECK constraint on a provider's type, which may now be any profile of the inference gateway"""

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_constraint(op.f("provider_type_check"), "provider", type_="check")

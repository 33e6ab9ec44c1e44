"""Drop the check of a provider's type, so that it may be any profile of the inference gateway"""

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_constraint(op.f("provider_type_check"), "provider", type_="check")

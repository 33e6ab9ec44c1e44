"""Let a sign-in at an issuer accept an invitation

A nullable column without a default: PostgreSQL changes its catalogue only.
"""

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0046"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sign_in_attempt", sa.Column("invitation_hash", sa.LargeBinary()))

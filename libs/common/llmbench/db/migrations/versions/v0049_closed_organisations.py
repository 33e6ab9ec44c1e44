"""Let people accept an invitation by signing in at an issuer, and let an owner close an organisation

The two new columns are nullable and have no default, so PostgreSQL changes its catalogue only.
"""

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0046"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sign_in_attempt", sa.Column("invitation_hash", sa.LargeBinary()))
    op.add_column("organisation", sa.Column("closed_at", sa.DateTime(timezone=True)))

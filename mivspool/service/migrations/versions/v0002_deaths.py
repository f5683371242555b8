"""How often a job's worker has died in a row, and when the job is due again."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the two columns; jobs that ended as interrupted stay so."""
    op.add_column("jobs", sa.Column("deaths", sa.Integer, nullable=False, server_default="0"))
    op.add_column("jobs", sa.Column("due", sa.Float(53)))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("jobs", "due")
    op.drop_column("jobs", "deaths")

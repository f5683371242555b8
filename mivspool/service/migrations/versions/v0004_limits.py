"""How long a job has run and why it is asked to stop, how large a kept model is, and quotas of single visitors."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add them; the time of jobs that have run is not known and counts as none."""
    op.add_column("jobs", sa.Column("begun", sa.Float(53)))
    op.add_column("jobs", sa.Column("ran", sa.Float(53), nullable=False, server_default="0"))
    op.add_column("jobs", sa.Column("stop_reason", sa.Text))
    op.add_column("models", sa.Column("size", sa.BigInteger, nullable=False, server_default="0"))
    op.execute("UPDATE models SET size = length(content)")
    op.create_table(
        "quotas",
        sa.Column("owner", sa.String(32), primary_key=True),
        sa.Column("waiting_jobs", sa.Integer),
        sa.Column("bytes", sa.BigInteger),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("quotas")
    op.drop_column("models", "size")
    for name in ("stop_reason", "ran", "begun"):
        op.drop_column("jobs", name)

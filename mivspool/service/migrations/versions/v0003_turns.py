"""Whose turn it is: by address, and within an address by visitor."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the three columns; jobs that wait keep the order in which they were submitted."""
    op.add_column("jobs", sa.Column("address", sa.String(64)))
    for name in ("address_turn", "visitor_turn"):
        op.add_column("jobs", sa.Column(name, sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Drop them."""
    for name in ("visitor_turn", "address_turn", "address"):
        op.drop_column("jobs", name)

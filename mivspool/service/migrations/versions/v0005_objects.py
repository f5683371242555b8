"""Contents that lie in an object store, and which objects there are."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the table; what lies in the database stays there."""
    for table in ("files", "contents", "models"):
        op.add_column(table, sa.Column("object", sa.String(64)))
    op.create_table(
        "objects",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("unused_since", sa.Float(53)),
    )


def downgrade() -> None:
    """Drop them; contents in an object store are lost."""
    op.drop_table("objects")
    for table in ("models", "contents", "files"):
        op.drop_column(table, "object")

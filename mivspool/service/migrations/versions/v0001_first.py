"""Jobs, their events, runs and files; uploads; kept models."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("request", sa.JSON, nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("shared", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.Column("started", sa.Float(53)),
        sa.Column("finished", sa.Float(53)),
        sa.Column("heartbeat", sa.Float(53)),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("worker", sa.String(128)),
        sa.Column("cancel", sa.Boolean, nullable=False),
        sa.Column("last_event", sa.Integer, nullable=False),
        sa.Column("progress", sa.JSON, nullable=False),
        sa.Column("result", sa.JSON),
        sa.Column("error", sa.Text),
    )
    op.create_index("jobs_by_state", "jobs", ["state", "created"])
    op.create_table(
        "events",
        sa.Column("job", sa.String(32), sa.ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("time", sa.Float(53), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
    )
    op.create_table(
        "runs",
        sa.Column("job", sa.String(32), sa.ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("key", sa.String(200), primary_key=True),
        sa.Column("line", sa.JSON, nullable=False),
    )
    op.create_table(
        "files",
        sa.Column("job", sa.String(32), sa.ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "uploads",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(32), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("shared", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("summary", sa.JSON, nullable=False),
    )
    op.create_table(
        "contents",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "models",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("shared", sa.Boolean, nullable=False),
        sa.Column("job", sa.String(32)),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Drop everything."""
    for table in ("models", "contents", "uploads", "files", "runs", "events", "jobs"):
        op.drop_table(table)

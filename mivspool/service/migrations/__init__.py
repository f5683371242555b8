"""The job database's schema, version by version (alembic)."""

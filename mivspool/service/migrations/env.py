"""Run by alembic: the connection comes from the store, which holds the lock."""

from alembic import context

from mivspool.service.tables import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=False
)
context.run_migrations()

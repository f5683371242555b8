"""The backend: HTTP API, inference, jobs, and the one client that the app and the command line use."""

from mivspool.extras import need

need("the backend", "alembic", "fastapi", "httpx", "sqlalchemy", "uvicorn")

"""Every setting of the project, read once from the environment (prefix ``MIVSPOOL_``)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import platformdirs
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Limits(BaseSettings):
    """What an uploaded file may cost (bytes, counts, seconds) before it is refused."""

    model_config = SettingsConfigDict(env_prefix="MIVSPOOL_LIMIT_")

    bytes: int = Field(64 * 1024**2, gt=0, description="bytes of one uploaded file")
    expanded_bytes: int = Field(256 * 1024**2, gt=0, description="bytes a zip may expand to")
    members: int = Field(10_000, gt=0, description="files in one zip")
    vertices: int = Field(1_000_000, gt=0, description="vertices of all graphs in a file")
    edges: int = Field(5_000_000, gt=0, description="edges of all graphs in a file")
    graphs: int = Field(100_000, gt=0, description="graphs in a file")
    depth: int = Field(100, gt=0, description="nesting of JSON, XML and the like")
    seconds: float = Field(30.0, gt=0, description="seconds a reader may take")


class Settings(BaseSettings):
    """Where things lie and what is allowed. ``settings()`` gives the one instance in use."""

    model_config = SettingsConfigDict(env_prefix="MIVSPOOL_")

    home: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("mivspool")),
        description="data sets, jobs and trained models",
    )
    tu_url: str | None = Field(None, description="folder or address that holds the TU data sets as NAME.zip")
    backend_url: str | None = Field(None, description="address of a backend; none: inside this process")
    token: str | None = Field(None, description="bearer token of the backend")
    database_url: str | None = Field(None, description="SQLAlchemy URL of the jobs; none: SQLite under home")
    device: str = Field("auto", description="cpu, cuda, cuda:N or auto")
    allow_training: bool = True
    allow_uploads: bool = True
    keep_uploads_days: int = Field(7, ge=0)
    limits: Limits = Field(default_factory=Limits)


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings in use; ``settings.cache_clear()`` reads the environment again."""
    return Settings()

"""The way to the backend of this process, without Streamlit: the start of the app takes it before there is a page."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mivspool.service.client import Client

_opening = threading.Lock()


def open_backend() -> Client:
    """The way to the backend; one inside this process is opened by the first call. Raises BackendError."""
    from mivspool.service.client import default_client  # here: it takes a second, and no page waits for it

    with _opening:
        return default_client()

"""Whose certificates are trusted: the system's authorities and certifi's, or those of ``SSL_CERT_FILE`` instead."""

from __future__ import annotations

import os
import ssl
from pathlib import Path

from mivspool.errors import InputError

FILE = "SSL_CERT_FILE"  # OpenSSL's own name, which the hub's client reads too
ADVICE = (
    f"its certificate is not signed by an authority that is trusted here: set {FILE} to a file (PEM) with the "
    "certificate of the authority that signed it"
)


def trusted() -> ssl.SSLContext:
    """What connections are verified against. Raises InputError for a file that holds no certificates."""
    context = (
        ssl.create_default_context()
    )  # it reads SSL_CERT_DIR, and says nothing of a file that is not there
    named = os.environ.get(FILE)
    if not named:
        import certifi

        context.load_verify_locations(certifi.where())  # a system may have none
        return context
    try:
        context.load_verify_locations(named)
    except OSError as error:
        why = "holds no certificates in PEM" if Path(named).is_file() else "is not there"
        raise InputError(
            f"the file {named} that {FILE} names {why}: name one that does, or unset it"
        ) from error
    return context


def is_distrust(error: BaseException | None) -> bool:
    """Whether a connection failed because the other side's certificate is not trusted."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        reason = getattr(error, "reason", None)  # as urllib hides it
        error = reason if isinstance(reason, BaseException) else error.__cause__ or error.__context__
    return False

"""Requests to the servers of the tests, all of them plain HTTP on this machine.

httpx reads the certificates of the machine for each request that is not one of a client's: 60 ms, many hundred times.
"""

from __future__ import annotations

import ssl
from functools import partial

import httpx

_NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
request = partial(httpx.request, verify=_NO_CERTIFICATES, timeout=60)
stream = partial(httpx.stream, verify=_NO_CERTIFICATES, timeout=60)
get = partial(request, "GET")
post = partial(request, "POST")

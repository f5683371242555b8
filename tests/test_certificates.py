"""An authority of one's own, in SSL_CERT_FILE, is trusted by the client and by downloads; nobody else's is."""

from __future__ import annotations

import datetime
import http.server
import ipaddress
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID

from mivspool.errors import BackendError, DatasetError, InputError
from mivspool.graphs import dataset_files
from mivspool.graphs.collection import DataSet
from mivspool.service.transport import Remote
from mivspool.settings import settings
from tests.graphs.read.cases import tu as tu_zip

SMALL = DataSet("SMALL", "Small", "two graphs", graphs=2, classes=2, place=1)


def certificate(folder: Path, name: str, issuer: Path | None = None) -> Path:
    """A file with a certificate and its key, for this machine; signed by ``issuer``, else an authority by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    signed_by, signing = subject, key
    if issuer is not None:
        content = issuer.read_bytes()
        signed_by = x509.load_pem_x509_certificate(content).subject
        signing = load_pem_private_key(content, None)
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(signed_by)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()), False)
        .sign(signing, hashes.SHA256())
    )
    path = folder / f"{name}.pem"
    path.write_bytes(
        made.public_bytes(Encoding.PEM) + key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    return path


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certificate(tmp_path_factory.mktemp("authority"), "An authority of our own")


@pytest.fixture(scope="module")
def address(authority: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a certificate of that authority; it gives a data set, whatever it is asked for."""
    content = tu_zip(node_labels="0\n6\n0\n1\n")

    class Server(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None: ...

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(tmp_path_factory.mktemp("server"), "127.0.0.1", authority))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"https://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def nothing_kept(tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of its own, and that server as the one of the data sets."""
    monkeypatch.setenv("MIVSPOOL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MIVSPOOL_TU_URL", address)
    settings.cache_clear()
    dataset_files._load.cache_clear()


@pytest.mark.usefixtures("nothing_kept")
def test_a_stranger_is_not_trusted(address: str) -> None:
    with pytest.raises(DatasetError, match="SSL_CERT_FILE"):
        dataset_files.load(SMALL)
    client = Remote(address, {})
    with pytest.raises(BackendError, match="SSL_CERT_FILE"):
        client.send("GET", "/healthz")
    client.close()


@pytest.mark.usefixtures("nothing_kept")
def test_an_authority_of_ones_own_is_trusted(
    address: str, authority: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    assert len(dataset_files.load(SMALL)) == 2
    client = Remote(address, {})
    assert client.send("GET", "/healthz").status_code == 200
    client.close()


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_file_without_certificates_is_named(
    content: str | None, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "authorities.pem"
    if content is not None:
        path.write_text(content)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    for use in (lambda: dataset_files.load(SMALL), lambda: Remote(address, {})):
        with pytest.raises(InputError, match=str(path)):
            use()

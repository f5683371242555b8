"""What reads SMILES in the site's pages: RDKit's WebAssembly, from its npm package, as one script.

The package's archive is given (``mivspool site FOLDER --smiles FILE``), never fetched, and has to be the one that was
tried: its checksum is known.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import tarfile
from pathlib import Path

from mivspool.canvas.modules import joined
from mivspool.errors import InputError
from mivspool.messages import fill
from mivspool.site import strings

FILE = "smiles.js"
PACKAGE, VERSION = "@rdkit/rdkit", "2026.9.1"
ARCHIVE = f"rdkit-rdkit-{VERSION}.tgz"
"""What ``npm pack`` calls the package's archive."""
ADDRESS = f"https://registry.npmjs.org/{PACKAGE}/-/rdkit-{VERSION}.tgz"
SHA512 = "nbdi5yEw+mG2kIxFvgVMGulS5fjNMzzocx9nKs01NAjNpFAEQVb6RDl3pd9AWEa7m5D8DR4QAS6CDzu+5xjzEA=="
"""As npm states it (``npm view @rdkit/rdkit@2026.9.1 dist.integrity``)."""

_LICENCE = Path(__file__).resolve().parent / "files" / "rdkit-licence.txt"
_DIST = "package/dist/RDKit_minimal"


def script(archive: str | Path) -> str:
    """The script that starts RDKit in a page. Raises InputError for a file that is not the archive."""
    glue, binary = _unpacked(archive)
    packed = base64.b64encode(gzip.compress(binary, 9, mtime=0)).decode()
    return (
        f"/*! {PACKAGE} {VERSION}\n\n{_LICENCE.read_text(encoding='utf-8')}*/\n"
        f"MIVSPOOL.smiles((() => {{\n{joined('read/rdkit.js')}"
        f"const glue = (Function) => {{\n{glue}\nreturn initRDKitModule;\n}};\n"
        f"return () => start(glue, {json.dumps(packed)});\n}})());\n"
    )


def _unpacked(archive: str | Path) -> tuple[str, bytes]:
    """The package's script and its WebAssembly."""
    about = {"file": str(archive), "package": PACKAGE, "version": VERSION, "address": ADDRESS}
    try:
        data = Path(archive).read_bytes()
    except OSError as error:
        raise InputError(fill(strings.NO_ARCHIVE, reason=error.strerror, **about)) from error
    if base64.b64encode(hashlib.sha512(data).digest()).decode() != SHA512:
        raise InputError(fill(strings.OTHER_ARCHIVE, **about))
    with tarfile.open(fileobj=io.BytesIO(data)) as package:
        glue, binary = (package.extractfile(f"{_DIST}.{kind}") for kind in ("js", "wasm"))
        assert glue is not None
        assert binary is not None
        return glue.read().decode("utf-8"), binary.read()

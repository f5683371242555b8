"""The archive of RDKit's npm package, where it is at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from mivspool.site.smiles import ARCHIVE, PACKAGE, VERSION

RDKIT = Path(__file__).resolve().parents[2] / "build" / ARCHIVE
needs_rdkit = pytest.mark.skipif(
    not RDKIT.exists(),
    reason=f"no build/{ARCHIVE}: make build/{ARCHIVE} fetches {PACKAGE} {VERSION} from npm's registry",
)

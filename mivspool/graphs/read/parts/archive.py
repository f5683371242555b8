"""Folders and zips as members by name, opened only after their sizes and paths were looked at."""

from __future__ import annotations

import io
import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from mivspool.errors import LimitError, ReadError
from mivspool.settings import Limits

_NOISE = {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"}
_CHUNK = 1 << 20
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
)

Members = dict[str, Callable[[], bytes]]


def open_members(source: Path | bytes, limits: Limits) -> Members:
    """Member name → function that reads it, for a folder, a zip's path or a zip's bytes.

    Raises ReadError where a member climbs out of the archive, is a link or is locked by a password, and
    LimitError where there are too many members or they expand to too much.
    """
    if isinstance(source, Path) and source.is_dir():
        return _folder(source, limits)
    try:
        archive = zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source)
    except _DAMAGED as error:
        raise ReadError(
            f"the zip cannot be opened ({str(error)[:80]}): it is damaged or was cut off"
        ) from error
    members: Members = {}
    total = 0
    for info in archive.infolist():
        if not info.filename:
            raise ReadError("the zip has a member without a name: it is damaged")
        if info.is_dir() or _is_noise(info.filename):
            continue
        _check(info)
        total += info.file_size
        if len(members) >= limits.members:
            raise LimitError(f"the zip holds more than {limits.members:,} files: split it")
        if total > limits.expanded_bytes:
            raise LimitError(
                f"the zip expands to more than {limits.expanded_bytes // 1024**2:,} MB: take files out of it"
            )
        members[info.filename] = _reader(archive, info)
    return members


def open_files(paths: Sequence[Path], limits: Limits) -> Members:
    """The same for files that are given together, by their names; by their paths where two have one name.

    Raises ReadError where one is missing or none is given.
    """
    if not paths:
        raise ReadError("there is no file to read: give at least one")
    missing = next((path for path in paths if not path.is_file()), None)
    if missing is not None:
        raise ReadError(f"there is no file {str(missing)[:200]!r}")
    if sum(path.stat().st_size for path in paths) > limits.expanded_bytes:
        raise LimitError(f"the files have more than {limits.expanded_bytes // 1024**2:,} MB together")
    apart = len({path.name for path in paths}) == len(paths)
    return {path.name if apart else path.as_posix(): path.read_bytes for path in paths}


def _folder(folder: Path, limits: Limits) -> Members:
    members: Members = {}
    total = 0
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file() or _is_noise(path.relative_to(folder).as_posix()):
            continue
        total += path.stat().st_size
        if len(members) >= limits.members:
            raise LimitError(f"the folder holds more than {limits.members:,} files: split it")
        if total > limits.expanded_bytes:
            raise LimitError(f"the folder holds more than {limits.expanded_bytes // 1024**2:,} MB: split it")
        members[path.relative_to(folder).as_posix()] = path.read_bytes
    return members


def _is_noise(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return any(part in _NOISE or part.startswith("._") for part in parts)


def _check(info: zipfile.ZipInfo) -> None:
    name = info.filename
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in name.split("/", 1)[0] or "\0" in name:
        raise ReadError(f"the zip has a member that climbs out of it ({name[:80]!r}): it was not opened")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise ReadError(f"the zip has a link in it ({name[:80]!r}): put the file itself there")
    if info.flag_bits & 0x1:
        raise ReadError("the zip is locked by a password: unpack it and zip it without one")


def _reader(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], bytes]:
    def read() -> bytes:
        """The member's bytes, never more than its entry promised (a bomb lies about that)."""
        pieces, size = [], 0
        try:
            with archive.open(info) as file:
                while piece := file.read(_CHUNK):
                    size += len(piece)
                    if size > info.file_size:
                        raise LimitError(f"{info.filename[:80]!r} expands to more than the zip says it does")
                    pieces.append(piece)
        except _DAMAGED as error:
            raise ReadError(f"{info.filename[:80]!r} in the zip is damaged ({str(error)[:80]})") from error
        return b"".join(pieces)

    return read

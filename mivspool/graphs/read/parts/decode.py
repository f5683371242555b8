"""Bytes to text: byte-order mark, UTF-8, then cp1252 with a notice (DESIGN §8.1)."""

from __future__ import annotations

import codecs
import re

from mivspool.errors import ReadError
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "strict": "{name} says it is {encoding} text, but is not: save it as UTF-8",
    "wide": "read as {encoding}, though it has no byte-order mark",
    "cp1252": "read as cp1252: line {line:,} is not UTF-8; where letters look wrong, save it as UTF-8",
    "binary": "{name} is {kind}, not text that describes a graph: choose another file",
    "noise": "{name} is not text: a graph is read from text, a zip, NPY or NPZ",
}

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
PICTURES = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"BM", "a bitmap picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"RIFF", "a sound or picture"),
    (b"%PDF", "a PDF document"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"SQLite format 3", "a database"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"BZh", "a bzip2 archive"),
    (b"PAR1", "a Parquet table"),
)
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
# what XML may declare: plain text encodings, no codec with side effects
_XML_ENCODINGS = re.compile(
    r"(utf-?(8|16(le|be)?|32)|us-ascii|ascii|(iso-?8859|latin)-?\d{1,2}|windows-125\d|cp125\d|koi8-[ru]|"
    r"mac-?roman|shift_?jis|euc-(jp|kr)|gb(k|2312|18030)|big5)",
    re.IGNORECASE,
)
_QUOTED_CELL = re.compile(r"""(?:(?<=[,;\t\n])|\A)"(?:[^"]|"")*"(?=[,;\t\r\n]|\Z)""")


def _keep_byte(error: UnicodeError) -> tuple[str, int]:
    """The five bytes cp1252 leaves open become the control characters of the same number."""
    assert isinstance(error, UnicodeDecodeError)
    return "".join(chr(byte) for byte in error.object[error.start : error.end]), error.end


codecs.register_error("mivspool-keep-byte", _keep_byte)


def decode(data: bytes, name: str) -> tuple[str, str, tuple[str, ...]]:
    """The text, the encoding it was taken for, and what a person should know of it.

    Raises ReadError where the bytes are no text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strict(data, encoding, name), encoding, ()
    refuse_binary(data, name)
    guess = _wide(data)
    if guess is not None:
        return _strict(data, guess, name), guess, (fill(WORDS["wide"], encoding=guess),)
    declared = _DECLARED.match(data)
    if declared:
        encoding = declared[1].decode("ascii").lower()
        if encoding not in {"utf-8", "utf8"} and _XML_ENCODINGS.fullmatch(encoding):
            return _strict(data, encoding, name), encoding, ()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        text = data.decode("cp1252", errors="mivspool-keep-byte")
        refuse_noise(text, name)
        return text, "cp1252", (fill(WORDS["cp1252"], line=line),)
    refuse_noise(text, name)
    return text, "utf-8", ()


def _strict(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError) as error:
        raise ReadError(fill(WORDS["strict"], name=name, encoding=encoding)) from error


def refuse_binary(data: bytes, name: str) -> None:
    """Raise ReadError where the bytes are a picture, a program or another file that holds no graph."""
    for mark, kind in PICTURES:
        if data.startswith(mark) and (len(mark) > 2 or b"\0" in data[:64]):
            raise ReadError(fill(WORDS["binary"], name=name, kind=kind))


def _wide(data: bytes) -> str | None:
    """UTF-16 without a mark shows as a zero in nearly every second byte."""
    head = data[: 2000 - len(data) % 2]
    if len(head) < 4 or len(data) % 2:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > 0.6 * half and even == 0:
        return "utf-16-le"
    if even > 0.6 * half and odd == 0:
        return "utf-16-be"
    return None


def refuse_noise(text: str, name: str) -> None:
    """Raise ReadError where more than a tenth of the first characters are control characters, or all that is there.

    Those in quoted cells do not count: a table may name its vertices so, and our own tables do where a graph does.
    """
    head = _QUOTED_CELL.sub("", text[:4000])
    strange = sum(1 for c in head if c < " " and c not in "\t\n\r\f")
    nothing_else = not any(c > " " for c in text[:4000])
    if strange > max(2, len(head) // 10) or (strange and nothing_else):
        raise ReadError(fill(WORDS["noise"], name=name))

"""Values and lines of text files, read the same way by every format."""

from __future__ import annotations

import json
import math
import re
from typing import Any

_INTEGER = re.compile(r"-?(0|[1-9]\d{0,17})", re.ASCII)
FLOAT = re.compile(r"[-+]?(\d{1,300}\.?\d{0,300}|\.\d{1,300})([eE][-+]?\d{1,4})?", re.ASCII)
# "1.234,5" and "1,234.5": both marks, so that it is clear which is which
_GROUPED_COMMA = re.compile(r"[-+]?\d{1,3}(\.\d{3}){1,100},\d{1,300}", re.ASCII)
_GROUPED_POINT = re.compile(r"[-+]?\d{1,3}(,\d{3}){1,100}\.\d{1,300}", re.ASCII)
_BEGINS_NUMBER = frozenset("+-.0123456789")
_TEXTS = {"string", "str", "text", "anyuri", "char", "character", "date", "datetime", "liststring"}
_TRUTHS = {"boolean", "bool"}
_WHOLES = {"integer", "int", "long", "short", "byte", "biginteger"}
_DECIMALS = {"float", "double", "real", "bigdecimal"}
_TRUE = {"true", "1", "yes", "t", "y"}
_FALSE = {"false", "0", "no", "f", "n"}
MISSING = {"", "nan", "na", "n/a", "null", "none", "-", "?"}


def lines_of(text: str) -> list[str]:
    """Lines as editors see them: LF, CRLF or CR end one, other separators are part of it."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def infer(text: str) -> str | int | float:
    """A number where the text is how a number is written, and can be written back; else the text.

    "007" and "1e400" stay text.
    """
    if text[:1] not in _BEGINS_NUMBER:
        return text
    if "." not in text and _INTEGER.fullmatch(text):
        return int(text) if text != "-0" else text
    if FLOAT.fullmatch(text) and not (text[0] == "0" and text[1:2].isdigit()):
        value = float(text)
        if math.isfinite(value) and not text.lstrip("+-").isdigit():
            return value
    return text


def number(text: Any, comma: bool = False) -> float | None:
    """A finite number, with a decimal comma where ``comma``, else None. "1_000" and "nan" are none.

    Thousands may be marked where the decimal mark says which is which: "1.234,5", "1,234.5".
    """
    if isinstance(text, bool):
        return float(text)
    if isinstance(text, (int, float)):
        try:
            value = float(text)
        except OverflowError:
            return None
        return value if math.isfinite(value) else None
    if not isinstance(text, str):
        return None
    plain = text.strip()
    if "," in plain:
        if comma and "." not in plain:
            plain = plain.replace(",", ".", 1)
        elif comma and _GROUPED_COMMA.fullmatch(plain):
            plain = plain.replace(".", "").replace(",", ".")
        elif _GROUPED_POINT.fullmatch(plain):
            plain = plain.replace(",", "")
    if not FLOAT.fullmatch(plain):
        return None
    value = float(plain)
    return value if math.isfinite(value) else None


def boolean(text: str) -> bool | None:
    """True or False as people write them, else None."""
    plain = text.strip().lower()
    return True if plain in _TRUE else False if plain in _FALSE else None


def typed(text: str, kind: str | None) -> Any:
    """The text as a declared type of GraphML or GEXF; without a type it is inferred.

    Raises LookupError where the type is not known, ValueError where the text is not of it.
    """
    kind = (kind or "").strip().lower()
    plain = text.strip()
    if not kind:
        return infer(plain) if plain else text
    if kind in _TEXTS:
        return text
    if kind in _TRUTHS:
        truth = boolean(text)
        if truth is None:
            raise ValueError(kind)
        return truth
    if kind not in _WHOLES and kind not in _DECIMALS:
        raise LookupError(kind)
    if plain.lower() in MISSING:
        return None
    value = number(plain)
    if value is None:
        raise ValueError(kind)
    if kind in _WHOLES and value.is_integer():
        return int(plain) if plain.lstrip("+-").isdigit() else int(value)
    return value


def readable(text: str) -> str:
    """The text with characters that no file can hold (lone surrogates) replaced."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", errors="replace").decode("utf-8")
    return text


def plain(value: Any) -> Any:
    """An attribute value of a vertex or edge: text, number, truth value or None; lists become JSON text."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return readable(value)
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")
    return readable(json.dumps(value, ensure_ascii=False, default=str))


def shown(text: Any, most: int = 40) -> str:
    """A piece of the file in a sentence: quoted, one line, cut."""
    cut = str(text)
    return repr(cut if len(cut) <= most else cut[: most - 1] + "…")

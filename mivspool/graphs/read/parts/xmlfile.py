"""XML as a stream of elements: no document type, no entities, bounded depth, lines for error sentences."""

from __future__ import annotations

import io
import re
import xml.sax
import xml.sax.handler
import xml.sax.xmlreader

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.refused import name_of_root
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "root": "{name} is {what}: graphs are read from <graphml> and <gexf>",
    "known": "{known} (root <{root}>)",
    "other": "XML with the root <{root}>",
    "depth": "{name} nests elements more than {n:,} deep",
    "page": "{name} is a web page, not a graph: save the file that it links to",
    "dtd": "{name} has a document type declaration (DTD), which can hide an attack: delete the <!DOCTYPE …> part",
    "malformed": "{name} is not well-formed XML ({reason}): it was cut off or edited, export it anew",
}

_DOCTYPE = re.compile(r"<!DOCTYPE", re.IGNORECASE)
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4,6})_")
_CHECK_EVERY = 4096
_FEW = 4
_PROLOGUE = re.compile(r"\s*(?:<\?xml[^>]{0,500}\?>|<!--(?:[^-]|-(?!->)){0,20000}-->|\s)*")
_ROOT = re.compile(r"<(?:[\w.-]{1,60}:)?([A-Za-z][\w.-]{0,60})")
_HEAD = 100_000

# our own files say so on the root element when ids hold characters that XML cannot
ESCAPE = "_xHHHH_"
ESCAPE_ATTRIBUTE = "mivspool-escape"


_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|_x(?=[0-9A-Fa-f]{4,6}_)")


def needs_escape(text: str) -> bool:
    """Whether XML has no way to hold the text as it is."""
    return bool(re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", text))


def escape(text: str) -> str:
    """The text with what XML cannot hold as _xHHHH_, and with what looks like that escaped too."""
    return _UNFIT.sub(lambda match: f"_x{ord(match[0][0]):04X}_" + match[0][1:], text)


def unescape(text: str) -> str:
    """Characters that our exports write as _xHHHH_ because XML has no way to hold them."""

    def character(match: re.Match[str]) -> str:
        code = int(match[1], 16)
        return chr(code) if code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else match[0]

    return _ESCAPED.sub(character, text)


class Elements(xml.sax.handler.ContentHandler):
    """Calls ``start_NAME(attributes)`` and ``end_NAME(text)`` of a subclass by local name, whatever the namespace."""

    root = ""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.path: list[str] = []
        self.texts: list[list[str]] = []
        self.escaped = False
        self._events = 0
        self._locator: xml.sax.xmlreader.Locator | None = None

    @property
    def line(self) -> int | None:
        """The line now being read."""
        return None if self._locator is None else self._locator.getLineNumber()

    def setDocumentLocator(self, locator: xml.sax.xmlreader.Locator) -> None:  # noqa: N802
        """Called by the parser."""
        self._locator = locator

    def startElement(self, name: str, attrs: xml.sax.xmlreader.AttributesImpl) -> None:  # noqa: N802
        """Called by the parser."""
        local = name.rsplit(":", 1)[-1].lower()
        if not self.path:
            self._check_root(local)
            self.escaped = attrs.get(ESCAPE_ATTRIBUTE) == ESCAPE
        self.path.append(local)
        self._check_cost()
        if self.texts and len(self.texts[-1]) <= _FEW and all(map(str.isspace, self.texts[-1])):
            self.texts[-1].clear()  # what stands between elements is not kept
        self.texts.append([])
        handler = getattr(self, f"start_{local}", None)
        if handler is not None:
            handler(self._given(attrs))
        elif not hasattr(self, f"end_{local}"):
            self.unknown(local)

    def unknown(self, name: str) -> None:
        """An element that no method reads; ``path`` ends with it."""

    def _given(self, attrs: xml.sax.xmlreader.AttributesImpl) -> dict[str, str]:
        """Attributes by local name; one without a prefix wins over one with."""
        pairs = sorted(attrs.items(), key=lambda pair: ":" not in pair[0])
        return {key.rsplit(":", 1)[-1].lower(): self._plain(value) for key, value in pairs}

    def endElement(self, name: str) -> None:  # noqa: N802
        """Called by the parser."""
        local = self.path.pop()
        handler = getattr(self, f"end_{local}", None)
        text = "".join(self.texts.pop())  # its own, not that of the elements within it
        if handler is not None:
            handler(self._plain(text))

    def characters(self, content: str) -> None:
        """Called by the parser."""
        if self.texts:
            self.texts[-1].append(content)

    def _plain(self, text: str) -> str:
        return unescape(text) if self.escaped and "_x" in text else text

    def _check_root(self, local: str) -> None:
        if local != self.root:
            known = name_of_root(local)
            what = fill(WORDS["known" if known else "other"], known=known, root=local[:40])
            raise ReadError(fill(WORDS["root"], name=self.context.name, what=what), line=self.line)

    def _check_cost(self) -> None:
        if len(self.path) > self.context.limits.depth:
            said = fill(WORDS["depth"], name=self.context.name, n=self.context.limits.depth)
            raise LimitError(said, line=self.line)
        self._events += 1
        if self._events % _CHECK_EVERY == 0:
            self.context.check_time()


def _without_declaration(text: str) -> str:
    """The text is decoded already: what its declaration says of the encoding no longer holds."""
    start = len(text) - len(text.lstrip())
    end = text.find("?>", start)
    if not text.startswith("<?xml", start) or end < 0:
        return text
    return "\n" * text.count("\n", 0, end) + text[end + 2 :]


def parse(text: str, handler: Elements) -> None:
    """Feed the text to the handler. Raises ReadError with the line where it is not well-formed XML."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.sax import make_parser

    name = handler.context.name
    doctype = _DOCTYPE.search(text[:100_000])
    if doctype:
        line = text.count("\n", 0, doctype.start()) + 1
        if text[doctype.end() : doctype.end() + 6].strip().lower().startswith("html"):
            raise ReadError(fill(WORDS["page"], name=name), line=line)
        raise ReadError(fill(WORDS["dtd"], name=name), line=line)
    body = _without_declaration(text)
    parser = make_parser()
    parser.forbid_dtd = True
    parser.setContentHandler(handler)
    parser.setFeature(xml.sax.handler.feature_external_ges, False)
    try:
        parser.parse(io.BytesIO(body.encode("utf-8", errors="replace")))
    except DefusedXmlException as error:
        raise ReadError(fill(WORDS["dtd"], name=name), line=handler.line) from error
    except LookupError as error:  # a declaration that is not at the beginning
        raise ReadError(
            f"{name} declares an encoding that is not known: save it as UTF-8", line=handler.line
        ) from error
    except xml.sax.SAXParseException as error:
        said = fill(WORDS["malformed"], name=name, reason=error.getMessage())
        raise ReadError(said, line=error.getLineNumber()) from error


def xml_root(text: str) -> str | None:
    """The local name of the root element, or None where the text is no XML."""
    start = _PROLOGUE.match(text[:_HEAD])
    root = _ROOT.match(text, start.end() if start else 0)
    return root[1].lower() if root else None

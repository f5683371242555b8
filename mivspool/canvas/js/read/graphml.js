// GraphML (mivspool/graphs/read/formats/graphml.py), and XML as a stream of elements with the sentences of Python's parser
// (parts/xmlfile.py).
import { Builder } from "./build.js";
import { BLANK, boolean, isSpace, quoted, readable, shown, str, strip, times } from "./text.js";

const ESCAPED = /_x([0-9A-Fa-f]{4,6})_/g;
const PROLOGUE = new RegExp(`[${BLANK}]*(?:<\\?xml[^>]{0,500}\\?>|<!--(?:[^-]|-(?!->)){0,20000}-->|[${BLANK}])*`, "y");
const ROOT = /<(?:[\p{L}\p{N}_.-]{1,60}:)?([A-Za-z][\p{L}\p{N}_.-]{0,60})/uy;
const HEAD = 100_000;
const NAME = /[\p{L}_:][\p{L}\p{N}\p{M}_:.\-·]*/uy;
const UNFIT = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const STRAY = /^(?:[\p{L}\p{N}_:.\-·]+(?=[\s>/,|[%)*+?]|$)|(["'])((?!\1)[^])*\1(?=[\s>%[])|[()\],|>[%])/u; // a token that may stand elsewhere in XML
const NAMED = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

// the local name of the root element, null where the text is no XML
export function rootOf(text) {
  PROLOGUE.lastIndex = 0;
  ROOT.lastIndex = PROLOGUE.exec(text.slice(0, HEAD))[0].length;
  return ROOT.exec(text)?.[1].toLowerCase() ?? null;
}

function unescaped(text) {
  return text.replace(ESCAPED, (all, hex) => {
    const code = parseInt(hex, 16);
    return code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : all;
  });
}

// Reads XML and tells of its elements: start(name, attributes, line), end(text, line). Throws what `fault(reason, line)` makes of a
// mistake, called as expat calls it, and `dtd(line)`.
function parse(text, { start, end, fault, dtd }) {
  let [at, counted, lines] = [0, 0, 1];
  const open = [];
  const lineAt = (place) => {
    lines += times(text, "\n", counted, place);
    counted = place;
    return lines;
  };
  const fail = (reason, place = at) => {
    throw fault(reason, lineAt(Math.max(place, counted)));
  };
  const token = "not well-formed (invalid token)";
  const cutOff = (place) => fail("unclosed token", place);
  // what stands at `at` up to `mark`; a character that XML cannot hold ends it
  const until = (mark, from, begin) => {
    const to = text.indexOf(mark, from);
    const unfit = text.slice(from, to < 0 ? text.length : to).search(UNFIT);
    if (unfit >= 0) fail(token, from + unfit);
    if (to < 0) cutOff(begin);
    return to;
  };
  const name = () => {
    NAME.lastIndex = at;
    return NAME.exec(text)?.[0] ?? (at < text.length ? fail(token) : null);
  };
  const character = (begin) => {
    const [whole, decimal, hex, word] = /^&(?:#(\d+);|#x([0-9A-Fa-f]+);|([\p{L}_:][\p{L}\p{N}\p{M}_:.\-·]*);)/u.exec(text.slice(begin, begin + 80)) ?? [];
    if (!whole) {
      const [part] = /^&(?:#x?[0-9A-Fa-f]*|[\p{L}\p{N}\p{M}_:.\-·]*)/u.exec(text.slice(begin));
      if (begin + part.length >= text.length) cutOff(begin);
      fail(token, begin + part.length);
    }
    if (word) return [NAMED[word] ?? fail("undefined entity", begin), whole.length];
    const code = decimal ? Number(decimal) : parseInt(hex, 16);
    const fits = code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) && !UNFIT.test(String.fromCodePoint(code));
    return [fits ? String.fromCodePoint(code) : fail("reference to invalid character number", begin), whole.length];
  };
  const spaces = () => {
    const from = at;
    while (" \t\n".includes(text[at] || "x")) at++;
    return at > from;
  };
  const content = (to) => {
    let made = "";
    while (at < to) {
      const next = text.indexOf("&", at);
      const stop = next < 0 || next > to ? to : next;
      const piece = text.slice(at, stop);
      const unfit = piece.search(UNFIT);
      const closed = piece.indexOf("]]>");
      if (unfit >= 0 || closed >= 0) fail(token, at + (unfit >= 0 ? unfit : closed));
      made += piece;
      at = stop;
      if (at < to) {
        const [c, length] = character(at);
        made += c;
        at += length;
      }
    }
    return made;
  };
  const attributes = (begin) => {
    const given = new Map();
    for (;;) {
      const spaced = spaces();
      if (at >= text.length) cutOff(begin);
      if (text[at] === ">" || text[at] === "/") return given;
      if (!spaced) fail(token);
      const place = at;
      const key = name();
      at += key.length;
      spaces();
      if (at >= text.length) cutOff(begin);
      if (text[at] !== "=") fail(token);
      at++;
      spaces();
      const mark = text[at];
      if (at >= text.length) cutOff(begin);
      if (mark !== '"' && mark !== "'") fail(token);
      at++;
      let value = "";
      while (text[at] !== mark) {
        if (at >= text.length) cutOff(begin);
        if (text[at] === "<" || UNFIT.test(text[at])) fail(token);
        if (text[at] === "&") {
          const [c, length] = character(at);
          value += c;
          at += length;
        } else value += " \t\n".includes(text[at]) ? (at++, " ") : text[at++];
      }
      at++;
      if (given.has(key)) fail("duplicate attribute", place);
      given.set(key, value);
    }
  };
  let rooted = false;
  while (at < text.length) {
    const begin = at;
    if (text.startsWith("<!--", at)) {
      const to = until("--", at + 4, begin);
      if (text[to + 2] === undefined) cutOff(begin);
      if (text[to + 2] !== ">") fail(token, to + 2);
      at = to + 3;
    } else if (text.startsWith("<?", at)) {
      at += 2;
      const target = name();
      if (!target) cutOff(begin);
      const after = at + target.length;
      if (text[after] !== undefined && !/^(?:[ \t\n]|\?(>|$))/.test(text.slice(after, after + 2))) fail(token, after);
      const to = until("?>", at, begin);
      if (target.toLowerCase() === "xml") fail(target === "xml" ? "XML or text declaration not at start of entity" : token, begin);
      at = to + 2;
    } else if (open.length && text.startsWith("<![CDATA[", at)) {
      const to = text.indexOf("]]>", at);
      if (to < 0) fail("unclosed CDATA section", text.length);
      open.at(-1).text += text.slice(at + 9, to);
      at = to + 3;
    } else if (text.startsWith("<!DOCTYPE", at) && !rooted) throw dtd(lineAt(at));
    else if (!open.length && /^<!(?:[A-Za-z]|$)/.test(text.slice(at, at + 3))) {
      const [, next] = /^<![A-Za-z]*([^])?/.exec(text.slice(at));
      if (next === undefined) cutOff(begin);
      fail(!/[ \t\n%]/.test(next) ? token : rooted ? "junk after document element" : "syntax error");
    } else if (text[at] === "<" && text[at + 1] === "/") {
      if (!open.length) fail(rooted ? "junk after document element" : token, rooted ? at : at + 1);
      at += 2;
      const closing = name();
      if (closing === null) cutOff(begin);
      at += closing.length;
      spaces();
      if (at >= text.length) cutOff(begin);
      if (text[at] !== ">") fail(token);
      at++;
      if (closing !== open.at(-1).name) fail("mismatched tag", begin);
      end(open.pop().text, lineAt(begin));
    } else if (text[at] === "<") {
      if (!open.length && rooted) fail("junk after document element");
      at++;
      const called = name();
      if (called === null) cutOff(begin);
      at += called.length;
      const given = attributes(begin);
      const empty = text[at] === "/";
      if (empty && text[at + 1] === undefined) cutOff(begin);
      if (empty && text[at + 1] !== ">") fail(token, at + 1);
      at += empty ? 2 : 1;
      rooted = true;
      if (open.length && isSpace(open.at(-1).text)) open.at(-1).text = ""; // what stands between elements is not kept
      start(called, given, lineAt(begin));
      if (empty) end("", lineAt(at));
      else open.push({ name: called, text: "" });
    } else {
      const next = text.indexOf("<", at);
      const to = next < 0 ? text.length : next;
      if (open.length) open.at(-1).text += content(to);
      else {
        spaces();
        if (at >= to) continue;
        if (rooted) fail("junk after document element");
        if (/^(["'])((?!\1)[^])*$/.test(text.slice(at))) cutOff(at);
        fail(STRAY.test(text.slice(at)) ? "syntax error" : token);
      }
    }
  }
  if (open.length || !rooted) fail("no element found", text.length);
}

const local = (name) => name.slice(name.lastIndexOf(":") + 1).toLowerCase();

// Every graph of a GraphML file.
export function read(given, context) {
  let text = given.replace(/\r\n?/g, "\n");
  const doctype = /<!DOCTYPE/i.exec(text.slice(0, HEAD));
  if (doctype) {
    const line = times(text, "\n", 0, doctype.index) + 1;
    const page = strip(text.slice(doctype.index + 9, doctype.index + 15)).toLowerCase().startsWith("html");
    throw context.refused(page ? "xmlfile.page" : "xmlfile.dtd", {}, line);
  }
  const declared = new RegExp(`^[${BLANK}]*<\\?xml[^]*?\\?>`).exec(text)?.[0];
  if (declared) text = "\n".repeat(times(declared, "\n")) + text.slice(declared.length); // it is decoded already
  const handler = new GraphML(context);
  parse(readable(text), {
    start: (...told) => handler.start(...told),
    end: (...told) => handler.end(...told),
    fault: (reason, line) => context.refused("xmlfile.malformed", { reason }, line),
    dtd: (line) => context.refused("xmlfile.dtd", {}, line),
  });
  if (!handler.graphs.length) throw context.refused("graphml.no_graph");
  return handler.graphs;
}

class GraphML {
  constructor(context) {
    Object.assign(this, { context, path: [], escaped: false, keys: new Map(), key: null, graphs: [], stack: [], directed: [], owner: [], data: null, ends: [] });
  }

  start(name, attributes, line) {
    const own = local(name);
    if (!this.path.length) {
      this.checkRoot(own, line);
      this.escaped = attributes.get("mivspool-escape") === "_xHHHH_";
    }
    this.path.push(own);
    this.line = line;
    if (this.path.length > this.context.limits.depth) throw this.context.limit("xmlfile.depth", { n: this.context.limits.depth }, line);
    const pairs = [...attributes].sort(([a], [b]) => Number(b.includes(":")) - Number(a.includes(":"))); // without a prefix wins
    const given = new Map(pairs.map(([key, value]) => [local(key), this.plain(value)]));
    const handler = { key: "startKey", graph: "startGraph", node: "startNode", edge: "startEdge", hyperedge: "startHyperedge", endpoint: "startEndpoint", data: "startData", geometry: "startGeometry" }[own];
    if (handler) this[handler](given);
    else if (!["default", "edgelabel", "nodelabel"].includes(own)) this.unknown(own);
  }

  end(text, line) {
    const own = this.path.pop();
    this.line = line;
    const value = this.plain(text);
    if (own === "default" && this.key && this.path.includes("key")) this.key.fallback = value;
    else if (own === "graph") this.endGraph();
    else if (own === "node" || own === "edge") this.owner.pop();
    else if (own === "hyperedge") this.endHyperedge();
    else if (own === "data") this.endData(value);
    else if (own === "edgelabel" || own === "nodelabel") this.endLabel(own.slice(0, 4), strip(value));
  }

  plain(text) {
    return this.escaped && text.includes("_x") ? unescaped(text) : text;
  }

  checkRoot(own, line) {
    if (own === "graphml") return;
    const known = this.context.given.roots[own];
    const root = own.slice(0, 40);
    const what = this.context.said(known ? "xmlfile.known" : "xmlfile.other", { known, root });
    throw this.context.refused("xmlfile.root", { what }, line);
  }

  startKey(given) {
    const id = given.get("id") ?? "";
    const name = given.get("attr.name") || given.get("yfiles.type") || id;
    this.key = { name, type: given.get("attr.type") ?? null, domain: given.get("for") ?? "all", fallback: null };
    this.keys.set(id, this.key);
  }

  startGraph(given) {
    this.directed.push(strip(given.get("edgedefault") ?? "undirected").toLowerCase() === "directed");
    if (this.stack.length) {
      this.stack.at(-1).say("graphml.nested");
      this.stack.push(this.stack.at(-1));
    } else this.stack.push(new Builder(this.context, given.get("id") || this.context.stem, "graphml", true));
    this.owner.push(["graph", 0]);
  }

  endGraph() {
    const builder = this.stack.pop();
    this.directed.pop();
    this.owner.pop();
    if (this.stack.length) return;
    this.defaults(builder);
    this.graphs.push(builder.finish());
  }

  startNode(given) {
    this.owner.push(["node", this.builder().node(this.need(given, "id", "vertex"), this.line)]);
  }

  startEdge(given) {
    const builder = this.builder();
    const u = builder.mention(this.need(given, "source", "edge"), this.line);
    const v = builder.mention(this.need(given, "target", "edge"), this.line);
    const directed = boolean(given.get("directed") ?? "") ?? this.directed.at(-1);
    this.owner.push(["edge", builder.edge(u, v, this.line, directed)]);
  }

  startHyperedge() {
    this.builder();
    this.ends = [];
    this.owner.push(["hyperedge", 0]);
  }

  startEndpoint(given) {
    this.ends.push(this.need(given, "node", "endpoint"));
  }

  endHyperedge() {
    this.owner.pop();
    const builder = this.builder();
    const members = this.ends.map((end) => builder.mention(end, this.line));
    members.forEach((u, i) => members.slice(0, i).forEach((v) => builder.edge(u, v, this.line)));
    builder.say("graphml.hyperedge");
  }

  startData(given) {
    this.data = given.get("key") ?? "";
  }

  endData(text) {
    if (this.data === null || !this.owner.length || !["node", "edge", "graph"].includes(this.path.at(-1))) return;
    const builder = this.builder();
    const [kind, place] = this.owner.at(-1);
    if (!this.keys.has(this.data)) {
      builder.say("graphml.undeclared", { attribute: shown(this.data) });
      this.keys.set(this.data, { name: this.data, type: "string", domain: "all", fallback: null });
    }
    const key = this.keys.get(this.data);
    this.data = null;
    if (key.type === null && !strip(text)) return; // the elements of a drawing program stood here
    const value = builder.typed(key.name, key.type, text, this.line);
    if (kind === "node") builder.nodeValue(place, key.name, value);
    else if (kind === "edge") builder.edgeValue(place, key.name, value);
    else if (key.name === "label") builder.label = str(value);
    else if (key.name === "name") builder.name = str(value);
    else builder.leaveOut(key.name);
  }

  // where yEd has put a vertex
  startGeometry(given) {
    if (this.owner.at(-1)?.[0] === "node") this.builder().place(this.owner.at(-1)[1], given.get("x"), given.get("y"));
  }

  // names what is left out: of a drawing in <data> its uppermost elements
  unknown(name) {
    const drawing = this.path.includes("data");
    if (drawing) {
      const within = this.path.slice(this.path.lastIndexOf("data") + 1);
      if (within.length !== (/(node|edge)$/.test(within[0]) ? 2 : 1)) return;
    }
    if (this.stack.length && (drawing || ["port", "desc", "locator"].includes(name))) this.stack.at(-1).leaveOut(name);
  }

  // what yEd has written on a vertex or an edge
  endLabel(kind, text) {
    if (!text || this.owner.at(-1)?.[0] !== kind) return;
    this.builder()[`${kind}Value`](this.owner.at(-1)[1], "label", text);
  }

  // a key's default, for those without a value of their own
  defaults(builder) {
    for (const { name, type, domain, fallback } of this.keys.values()) {
      if (fallback === null) continue;
      const value = builder.typed(name, type, fallback, null);
      for (const [kind, count] of [["node", builder.ids.length], ["edge", builder.source.length]]) {
        if (domain !== kind && domain !== "all") continue;
        const have = new Set(builder[`${kind}Columns`].get(name)?.place);
        for (let i = 0; i < count; i++) if (!have.has(i)) builder[`${kind}Value`](i, name, value);
      }
    }
  }

  builder() {
    if (!this.stack.length) throw this.context.refused("graphml.outside", {}, this.line);
    return this.stack.at(-1);
  }

  need(given, name, what) {
    if (!given.has(name)) throw this.context.refused("graphml.lacks", { what: this.context.said(`graphml.${what}`), attribute: quoted(name) }, this.line);
    return given.get(name);
  }
}

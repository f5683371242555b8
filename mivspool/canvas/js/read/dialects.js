// The dialects of JSON, one function each (mivspool/graphs/read/formats: nodelink, cytoscape, graphology, neo4j, canvas, sigma,
// plaindict, json_edges, json_matrix, json_dict). Each takes a document, the context and the graph's name.
import { find, matrixGraph } from "./adjacency.js";
import { Builder } from "./build.js";
import { boolean, dumps, isObject, isWhole, number, quoted, Real, shown, spelled, str } from "./text.js";

const ENDS = [["source", "target"], ["from", "to"], ["u", "v"], ["src", "dst"], ["start", "end"]];
const isList = Array.isArray;
const isText = (value) => typeof value === "string";
const isCount = (value) => isWhole(value) && typeof value !== "boolean";
const get = (object, key, otherwise = null) => (object.has(key) ? object.get(key) : otherwise);
const without = (object, ...keys) => new Map([...object].filter(([key]) => !keys.includes(key)));
const merged = (one, other) => (isObject(other) ? new Map([...one, ...other]) : one);
const own = (object) => (isObject(object) ? object : new Map());
const isEmpty = (value) => value === null || value === "" || (isList(value) && !value.length) || (isObject(value) && !value.size);
const truthy = (value) => !isEmpty(value) && value !== false && (value instanceof Real ? value.value : Number(isWhole(value) ? value : 1)) !== 0;
const truth = (value) => (isText(value) ? Boolean(boolean(value)) : truthy(value));
const names = (object, ...keys) => [...object.keys()].every((key) => keys.includes(key));
const nth = (what, n, context) => context.said(`jsongraph.${what}`, { n });

// What tells an id from others, and how it reads: [key, text], null where it is none; 1 and "1" are two ids, 1 and 1.0 are one.
function keyOf(value) {
  if (typeof value === "boolean") return [`n${Number(value)}`, String(value)];
  if (isWhole(value)) return [`n${value}`, String(value)];
  if (value instanceof Real) {
    const whole = Number.isInteger(value.value);
    const text = Number.isSafeInteger(value.value) ? String(value.value) : spelled(value.value);
    return [`n${whole ? BigInt(value.value) : text}`, text];
  }
  if (isText(value)) return [`s${value}`, value];
  return isList(value) ? [`l${dumps(value)}`, dumps(value)] : null;
}

// an id where 1 and "1" are the same, for Builder.node and mention
function textKey(value, what, context) {
  const found = keyOf(value);
  if (!found) throw context.refused("jsongraph.no_id", { what });
  return [found[1]];
}

const endsOf = (edge) => ENDS.find(([a, b]) => edge.has(a) && edge.has(b)) ?? null;

function objects(value, what, context) {
  if (!isList(value) || !value.every(isObject)) throw context.refused("jsongraph.objects", { what: quoted(what) });
  return value;
}

// says which members of an object the graph has no place for
function leaveOut(builder, object, ...known) {
  for (const [key, value] of object) if (!known.includes(key) && !isEmpty(value)) builder.leaveOut(key);
}

// the two ends of an edge by their names in it
const ends = (builder, edge, pair, n, context) => pair.map((end) => builder.mention(...textKey(get(edge, end), nth("edge", n, context), context)));

// ---- node-link ------------------------------------------------------------------------------------------------------

const TAKEN = ["id", "source", "target", "weight", "key", "directed", "metadata"];
const IDS = ["key", "name", "label"];
const KNOWN = ["directed", "multigraph", "graph", "nodes", "vertices", "edges", "links", "adjacency", "name", "id", "label", "type", "version"];
// an attribute that our exports write behind a colon, because the plain word means something else
const bare = (key) => (key.startsWith(":") && TAKEN.includes(key.replace(/^:+/, "")) ? key.slice(1) : key);
const bared = (object) => new Map([...object].map(([key, value]) => [bare(key), value]));

function isNodeLink(document) {
  if (!isObject(document)) return false;
  return ["nodes", "vertices", "edges", "links", "adjacency"].some((key) => document.has(key)) || own(document.get("graph")).has("nodes");
}

function nodeLink(given, context, name) {
  const document = !given.has("nodes") && own(given.get("graph")).has("nodes") ? given.get("graph") : given; // JSON Graph Format
  const meta = own(document.get("graph"));
  const title = [meta, document].flatMap((m) => ["name", "id"].map((key) => m.get(key))).find((value) => isText(value) && value);
  const nodes = get(document, "nodes", get(document, "vertices", undefined));
  const listed = nodes !== undefined && nodes !== null;
  const builder = new Builder(context, title ?? name, "node-link", listed);
  const label = [meta, document].map((m) => m.get("label")).find((value) => isText(value) || isWhole(value));
  builder.label = label === undefined ? null : str(label);
  leaveOut(builder, document, ...KNOWN);
  leaveOut(builder, meta, ...KNOWN);
  const keys = listed ? listNodes(nodes, builder) : [];
  if (document.has("adjacency") && listed) {
    listNeighbours(document.get("adjacency"), keys, builder, truthy(get(document, "directed")));
    return builder.finish();
  }
  const edges = get(document, "edges", get(document, "links", []));
  const byPlace = (keys.length > 0 && keys.every((key) => key.startsWith("p"))) || arePlaces(edges, keys);
  if (byPlace) builder.readAs = context.said("nodelink.by_place", { title: context.given.formats.find((format) => format.name === "node-link").title });
  listEdges(edges, builder, truth(get(document, "directed")), byPlace ? keys : null);
  return builder.finish();
}

// a list, or the values of an object whose keys are ids
function items(value, what, context) {
  if (isList(value)) return value;
  if (!isObject(value)) throw context.refused("nodelink.list", { what: quoted(what) });
  return [...value].map(([key, item]) => merged(new Map([["id", key]]), item));
}

// lists the vertices; those without an id are known by their place in the list
function listNodes(nodes, builder) {
  const { context } = builder;
  const list = items(nodes, "nodes", context);
  const called = idName(list);
  return list.map((item, place) => {
    const found = !isObject(item) ? keyOf(item) : called === null ? [`p${place}`, String(place)] : keyOf(get(item, called));
    if (!found) throw context.refused("nodelink.no_id", { what: nth("vertex", place + 1, context) });
    const i = builder.node(found[0], null, found[1]);
    if (isObject(item)) {
      const values = bared(without(item, ...(called === null ? [] : [called])));
      const metadata = values.get("metadata");
      values.delete("metadata");
      builder.nodeValues(i, merged(values, metadata));
    }
    return found[0];
  });
}

// the key that holds the id: the first usual one that every vertex has and that tells them apart
function idName(list) {
  if (!list.length || !list.every(isObject) || list.some((item) => item.has("id"))) return "id";
  const apart = (name) => {
    const found = list.map((item) => keyOf(get(item, name)));
    return found.every(Boolean) && new Set(found.map(([key]) => key)).size === list.length;
  };
  return IDS.find(apart) ?? null;
}

function listEdges(edges, builder, directed, byPlace) {
  const { context } = builder;
  items(edges, "edges", context).forEach((item, at) => {
    const n = at + 1;
    let pair;
    let values;
    const named = isObject(item) ? endsOf(item) : null;
    if (isList(item) && item.length >= 2) {
      pair = item.slice(0, 2);
      values = item.length < 3 ? new Map() : isObject(item[2]) ? new Map(item[2]) : new Map([["weight", item[2]]]);
    } else if (named) {
      pair = named.map((name) => item.get(name));
      values = without(item, ...named);
    } else if ((isText(item) || isWhole(item)) && !builder.declared) {
      const [key, text] = keyOf(item);
      builder.node(key, null, text);
      return;
    } else throw context.refused("nodelink.no_ends", { what: nth("edge", n, context) });
    const [u, v] = pair.map((end) => endOf(end, builder, byPlace, n));
    const turned = get(values, "directed");
    const k = builder.edge(u, v, null, turned === null ? directed : truth(turned));
    builder.edgeValues(k, bared(merged(without(values, "directed", "metadata", "key"), values.get("metadata"))));
  });
}

// whether links are positions in the list of vertices, as in D3 and networkx 1: not all of them are ids
function arePlaces(edges, keys) {
  if (!isList(edges) || !edges.length || !keys.length) return false;
  const found = new Set();
  for (const item of edges) {
    const named = isObject(item) ? endsOf(item) : null;
    const pair = named ? named.map((name) => item.get(name)) : [];
    if (!pair.length || !pair.every((end) => isCount(end) && end >= 0 && end < keys.length)) return false;
    pair.forEach((end) => found.add(end));
  }
  const known = new Set(keys);
  return ![...found].every((end) => known.has(`n${end}`) || known.has(`s${end}`));
}

// the vertex an edge names; "1" may mean the vertex 1 where there is no vertex "1", and the other way
function endOf(given, builder, byPlace, n) {
  const end = isObject(given) ? get(given, "id", get(given, "name")) : given; // d3 after its layout has run: the whole vertex
  if (byPlace && isCount(end) && end >= 0 && end < byPlace.length) return builder.index.get(byPlace[end]);
  const found = keyOf(end);
  if (!found) throw builder.context.refused("nodelink.no_end", { what: nth("edge", n, builder.context), end: shown(end) });
  let [key] = found;
  const [, text] = found;
  if (builder.declared && !builder.index.has(key)) {
    const other = key.startsWith("s") ? numberKey(text) : `s${text}`;
    if (builder.index.has(other)) key = other;
  }
  return builder.mention(key, null, text);
}

function numberKey(text) {
  const plain = text.trim();
  if (text.length >= 30 || !/^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(plain)) return null;
  return keyOf(/[.eE]/.test(plain) ? new Real(Number(plain)) : BigInt(plain))[0];
}

// networkx's adjacency form: for each vertex the list of its neighbours, so each edge twice
function listNeighbours(rows, keys, builder, directed) {
  const { context } = builder;
  if (!isList(rows) || rows.length !== keys.length) throw context.refused("nodelink.adjacency");
  const seen = new Set();
  keys.forEach((key, at) => {
    const u = builder.index.get(key);
    items(rows[at], "adjacency", context).forEach((item, place) => {
      const values = isObject(item) ? item : new Map([["id", item]]);
      const v = endOf(get(values, "id"), builder, null, place + 1);
      if (!directed && seen.has(`${v} ${u}`) && !seen.has(`${u} ${v}`)) return;
      seen.add(`${u} ${v}`);
      builder.edgeValues(builder.edge(u, v, null, directed), without(values, "id"));
    });
  });
}

// ---- Cytoscape ------------------------------------------------------------------------------------------------------

const INTERNAL = ["id", "source", "target", "SUID", "selected", "shared_name", "shared name", "parent"];
const OF_ELEMENTS = ["data", "position", "group", "selected", "selectable", "locked", "grabbed", "grabbable", "removed"];
const OF_CYTOSCAPE = ["elements", "data", "format_version", "generated_by", "target_cytoscapejs_version"];

function isCytoscape(document) {
  if (isList(document)) return isObject(document[0]) && isObject(document[0].get("data")) && !document[0].has("nodes");
  return isObject(document) && document.has("elements") && !document.has("edge_index");
}

function cytoscape(given, context, name) {
  const document = isList(given) ? new Map([["elements", given]]) : given;
  const title = own(document.get("data")).get("name");
  const builder = new Builder(context, (isText(title) && title) || name, "cytoscape", true);
  leaveOut(builder, document, ...OF_CYTOSCAPE);
  const [nodes, edges] = groups(document.get("elements"), context);
  const data = (element, what, at) => {
    const found = isObject(element) ? element.get("data") : null;
    if (!isObject(found)) throw context.refused("cytoscape.no_data", { what: nth(what, at + 1, context) });
    return found;
  };
  nodes.forEach((node, at) => {
    const values = data(node, "vertex", at);
    const i = builder.node(...textKey(get(values, "id"), nth("vertex", at + 1, context), context));
    const position = node.get("position");
    if (isObject(position)) builder.place(i, get(position, "x"), get(position, "y"));
    builder.nodeValues(i, without(values, ...INTERNAL));
    leaveOut(builder, node, ...OF_ELEMENTS);
    leaveOut(builder, new Map([["parent", get(values, "parent")]]));
  });
  edges.forEach((edge, at) => {
    const values = data(edge, "edge", at);
    const k = builder.edge(...ends(builder, values, ["source", "target"], at + 1, context));
    builder.edgeValues(k, without(values, ...INTERNAL));
    leaveOut(builder, edge, ...OF_ELEMENTS);
  });
  return builder.finish();
}

// vertices and edges, in two lists or in one that is told apart by group or by source
function groups(elements, context) {
  if (isObject(elements)) {
    const found = [get(elements, "nodes", []), get(elements, "edges", [])];
    if (found.every(isList)) return found;
  } else if (isList(elements)) {
    const isEdge = (one) => isObject(one) && (one.get("group") === "edges" || (own(one.get("data")).has("source") && own(one.get("data")).has("target")));
    return [elements.filter((one) => !isEdge(one)), elements.filter(isEdge)];
  }
  throw context.refused("cytoscape.groups");
}

// ---- graphology, sigma.js, JSON Canvas --------------------------------------------------------------------------------

function isGraphology(document) {
  const nodes = isObject(document) ? document.get("nodes") : null;
  return isList(nodes) && nodes.length > 0 && nodes.every((node) => isObject(node) && node.has("key") && names(node, "key", "attributes"));
}

function graphology(document, context, name) {
  const about = own(document.get("attributes"));
  const title = get(about, "name", get(about, "title"));
  const builder = new Builder(context, (isText(title) && title) || name, "graphology", true);
  const directed = own(document.get("options")).get("type") === "directed";
  leaveOut(builder, document, "attributes", "options", "nodes", "edges");
  leaveOut(builder, about, "name", "title");
  objects(document.get("nodes"), "nodes", context).forEach((node, at) => {
    const i = builder.node(...textKey(node.get("key"), nth("vertex", at + 1, context), context));
    builder.nodeValues(i, own(node.get("attributes")));
  });
  objects(get(document, "edges", []), "edges", context).forEach((edge, at) => {
    const [u, v] = ends(builder, edge, ["source", "target"], at + 1, context);
    const undirected = get(edge, "undirected");
    const k = builder.edge(u, v, null, undirected === null ? directed : !truth(undirected));
    builder.edgeValues(k, own(edge.get("attributes")));
    leaveOut(builder, edge, "key", "source", "target", "attributes", "undirected");
  });
  return builder.finish();
}

function isSigma(document) {
  const nodes = isObject(document) ? document.get("nodes") : null;
  return isList(nodes) && nodes.length > 0 && isList(document.get("edges")) && nodes.every((node) => isObject(node) && node.has("id") && isObject(node.get("attributes")));
}

function sigma(document, context, name) {
  const builder = new Builder(context, name, "sigma", true);
  leaveOut(builder, document, "nodes", "edges");
  objects(document.get("nodes"), "nodes", context).forEach((node, at) => {
    const i = builder.node(...textKey(node.get("id"), nth("vertex", at + 1, context), context));
    builder.nodeValues(i, merged(without(node, "id", "attributes"), node.get("attributes")));
  });
  objects(document.get("edges"), "edges", context).forEach((edge, at) => {
    const k = builder.edge(...ends(builder, edge, ["source", "target"], at + 1, context));
    builder.edgeValues(k, merged(without(edge, "id", "source", "target", "attributes"), edge.get("attributes")));
  });
  return builder.finish();
}

const OF_LINES = ["id", "fromNode", "toNode", "fromSide", "toSide", "fromEnd", "toEnd", "label", "color"];

function isCanvas(document) {
  if (!isObject(document)) return false;
  const [nodes, edges] = [document.get("nodes"), document.get("edges")];
  if (isList(edges) && edges.length) return edges.every((edge) => isObject(edge) && edge.has("fromNode") && edge.has("toNode"));
  return isList(nodes) && nodes.length > 0 && nodes.every((node) => isObject(node) && ["text", "file", "link", "group"].includes(node.get("type")) && node.has("width"));
}

function canvas(document, context, name) {
  const builder = new Builder(context, name, "canvas", true);
  leaveOut(builder, document, "nodes", "edges");
  const middle = (node, start, size) => {
    const [at, long] = [get(node, start), get(node, size, 0)].map((value) => (isWhole(value) || value instanceof Real ? number(value) : null));
    return at !== null && long !== null && Math.max(Math.abs(at), Math.abs(long)) < 1e9 ? new Real(at + long / 2) : null;
  };
  objects(get(document, "nodes", []), "nodes", context).forEach((node, at) => {
    const i = builder.node(...textKey(get(node, "id"), nth("vertex", at + 1, context), context));
    const said = ["label", "text", "file", "url"].map((key) => node.get(key)).find(isText);
    if (said !== undefined) builder.nodeValue(i, "label", said);
    for (const key of ["type", "color"]) if (get(node, key) !== null) builder.nodeValue(i, key, node.get(key));
    builder.place(i, middle(node, "x", "width"), middle(node, "y", "height"));
  });
  objects(get(document, "edges", []), "edges", context).forEach((edge, at) => {
    const [u, v] = ends(builder, edge, ["fromNode", "toNode"], at + 1, context);
    const k = builder.edge(u, v, null, get(edge, "toEnd", "arrow") !== "none");
    for (const key of ["label", "color"]) if (get(edge, key) !== null) builder.edgeValue(k, key, edge.get(key));
    leaveOut(builder, edge, ...OF_LINES);
  });
  return builder.finish();
}

// ---- Neo4j ----------------------------------------------------------------------------------------------------------

const RELATIONS = ["relationships", "rels"];
const STARTS = ["start", "startNode", "startNodeElementId", "startNodeId", "from", "source"];
const STOPS = ["end", "endNode", "endNodeElementId", "endNodeId", "to", "target"];
const OF_NEO4J = ["id", "elementId", "identity", "type", "labels", "label", "properties", ...STARTS, ...STOPS];

const isNeo4jLine = (item) => isObject(item) && ["node", "relationship"].includes(item.get("type")) && item.has("id");

function answers(document) {
  const results = document.get("results");
  if (!isList(results)) return null;
  const rows = results.filter(isObject).flatMap((result) => (isList(result.get("data")) ? result.get("data") : []));
  const graphs = rows.filter((row) => isObject(row) && isObject(row.get("graph"))).map((row) => row.get("graph"));
  return graphs.length ? graphs : null;
}

function isNeo4j(document) {
  if (isList(document)) return document.length > 0 && document.every(isNeo4jLine);
  if (isNeo4jLine(document) && document.get("type") === "node") return true;
  return isObject(document) && (RELATIONS.some((key) => isList(document.get(key))) || answers(document) !== null);
}

function neo4j(document, context, name) {
  const builder = new Builder(context, name, "neo4j", true);
  const { nodes, relations } = partsOfNeo4j(document, builder);
  const properties = (item) => merged(without(item, ...OF_NEO4J), item.get("properties"));
  const known = (object, keys) => keys.map((key) => get(object, key)).find((value) => value !== null) ?? null;
  nodes.forEach((node, at) => {
    const key = textKey(known(node, ["id", "elementId", "identity"]), nth("vertex", at + 1, context), context);
    let i = builder.index.get(key[0]); // an answer repeats its vertices
    if (i === undefined || builder.awaited.has(i)) i = builder.node(...key);
    const labels = node.get("labels");
    if (isList(labels) && labels.length) builder.nodeValue(i, "label", labels.map(str).join(":"));
    builder.nodeValues(i, properties(node));
  });
  const seen = new Set();
  relations.forEach((relation, at) => {
    const id = get(relation, "id", get(relation, "elementId"));
    if (isText(id) || isWhole(id)) {
      const [key] = keyOf(id);
      if (seen.has(key)) return;
      seen.add(key);
    }
    const what = nth("relation", at + 1, context);
    const [u, v] = [STARTS, STOPS].map((keys) => {
      let end = known(relation, keys);
      if (isObject(end)) end = get(end, "id", get(end, "elementId", get(end, "identity")));
      if (end === null) throw context.refused("neo4j.no_ends", { what });
      return builder.mention(...textKey(end, what, context));
    });
    const k = builder.edge(u, v, null, true);
    const type = get(relation, "type");
    const kind = type === null || type === "relationship" ? relation.get("label") : type;
    if (isText(kind)) builder.edgeValue(k, "type", kind);
    builder.edgeValues(k, properties(relation));
  });
  return builder.finish();
}

function partsOfNeo4j(given, builder) {
  const document = isNeo4jLine(given) ? [given] : given;
  const of = (type) => document.filter((item) => item.get("type") === type);
  if (isList(document)) return { nodes: of("node"), relations: of("relationship") };
  const [nodes, relations] = [[], []];
  for (const answer of answers(document) ?? [document]) {
    nodes.push(...objects(get(answer, "nodes", []), "nodes", builder.context));
    const key = RELATIONS.find((name) => answer.has(name)) ?? "relationships";
    relations.push(...objects(get(answer, key, []), key, builder.context));
    leaveOut(builder, answer, "nodes", ...RELATIONS, "results", "errors");
  }
  return { nodes, relations };
}

// ---- the plain dictionary of PyTorch Geometric ------------------------------------------------------------------------

const OF_PLAIN = ["edge_index", "num_nodes", "name", "y", "ids", "pos", "x", "edge_attr", "node_attributes", "edge_attributes", "edge_weight", "directed"];
const isPlain = (document) => isObject(document) && document.has("edge_index");

function plain(document, context, name) {
  const pairs = pairsOf(document.get("edge_index"), context);
  const n = sizeOf(document, pairs, context);
  context.checkSize(n, pairs.length >> 1);
  const title = document.get("name");
  const builder = new Builder(context, (isText(title) && title) || name, "plain", false);
  const y = get(document, "y");
  const label = isList(y) && y.length === 1 ? y[0] : y;
  builder.label = isText(label) || isWhole(label) || label instanceof Real ? str(label) : null;
  const column = (values, length, what) => {
    if (values === null) return null;
    if (!isList(values) || values.length !== length) throw context.refused("plaindict.column", { column: quoted(what), n: length });
    return values;
  };
  const attributes = (columns, length) => {
    if (columns === null) return [];
    if (!isObject(columns)) throw context.refused("plaindict.attributes");
    return [...columns].map(([key, values]) => [key, column(values, length, Array.from(key).slice(0, 40).join("")) ?? []]);
  };
  const ids = column(get(document, "ids"), n, "ids");
  (ids?.length ? ids : Array.from({ length: n }, (_, i) => String(i))).forEach((id) => {
    if (!(isText(id) || isWhole(id)) || builder.index.has(str(id))) throw context.refused("plaindict.ids", { n, id: shown(id) });
    builder.node(str(id));
  });
  (column(get(document, "pos"), n, "pos") ?? []).forEach((at, i) => {
    if (isList(at) && at.length >= 2) builder.place(i, at[0], at[1]);
  });
  for (const [key, values] of attributes(get(document, "node_attributes"), n)) values.forEach((value, i) => value !== null && builder.nodeValue(i, key, value));
  const x = matrixOf(get(document, "x"), n);
  for (const [key, values] of x) values.forEach((value, i) => builder.nodeValue(i, key, value));
  if (get(document, "x") !== null && !x.length) builder.leaveOut("x");
  const others = without(document, ...OF_PLAIN);
  if (builder.label === null && label !== null) others.set("y", document.get("y"));
  for (const [key, value] of others) {
    if (isList(value) && value.length === n && !value.some((one) => isList(one) || isObject(one))) value.forEach((one, i) => builder.nodeValue(i, key, one));
    else leaveOut(builder, new Map([[key, value]]));
  }
  const m = pairs.length;
  let weight = column(get(document, "edge_weight"), m, "edge_weight");
  const kept = attributes(get(document, "edge_attributes"), m);
  let features = m ? matrixOf(get(document, "edge_attr"), m) : [];
  if (document.has("edge_attr") && truthy(document.get("edge_attr")) && !features.length) builder.leaveOut("edge_attr");
  if (weight === null && features.length === 1) [weight, features] = [features[0][1], []]; // one number per edge is its weight
  const listed = new Set(pairs.map(([u, v]) => `${u} ${v}`));
  pairs.forEach(([u, v], k) => {
    if (listed.has(`${v} ${u}`) && u > v) return;
    const e = builder.edge(u, v);
    if (weight !== null) builder.edgeValue(e, "weight", weight[k]);
    for (const [key, values] of [...kept, ...features]) if (values[k] !== null) builder.edgeValue(e, key, values[k]);
  });
  return builder.finish();
}

function pairsOf(index, context) {
  if (!isList(index) || index.length !== 2 || !index.every(isList) || index[0].length !== index[1].length) throw context.refused("plaindict.lists");
  if (!index.flat().every((i) => isCount(i) && i >= 0)) throw context.refused("plaindict.numbers");
  return index[0].map((u, k) => [u, index[1][k]]);
}

function sizeOf(document, pairs, context) {
  const least = pairs.reduce((most, [u, v]) => (u > most || v > most ? (u > v ? u : v) : most), -1);
  let n = get(document, "num_nodes");
  if (n === null) n = ["ids", "x"].map((key) => document.get(key)).find(isList)?.length ?? Number(least) + 1;
  if (!isCount(n) || n <= least) throw context.refused("plaindict.size", { n: shown(n), vertex: least });
  return Number(n);
}

// the columns of a list of so many rows
function matrixOf(table, length) {
  const rows = isList(table) ? table.map((row) => (isList(row) ? row : [row])) : [];
  if (rows.length !== length || new Set(rows.map((row) => row.length)).size !== 1) return [];
  return rows[0].map((_, k) => [`attribute ${k}`, rows.map((row) => row[k])]);
}

// ---- lists of edges, matrices, dictionaries of neighbours ---------------------------------------------------------------

function isSquare(document) {
  return isList(document) && document.length > 0 && document.every((row) => isList(row) && row.length === document.length && row.every((cell) => isWhole(cell) || cell instanceof Real));
}

// a square table of numbers as the rows of a table
const rowsOf = (document) => document.map((row) => ({ cells: row.map((cell) => (truthy(cell) ? spelled(Number(cell instanceof Real ? cell.value : cell)) : "0")), line: 0 }));

function isMatrix(document) {
  if (!isSquare(document)) return false;
  if (document.length === 1) return true;
  if (document.length > 2) return find(rowsOf(document)) !== null;
  const [[a, b], [c, d]] = document.map((row) => row.map((cell) => number(cell)));
  return a === 0 && d === 0 && b === c;
}

function matrix(document, context, name) {
  const graph = matrixGraph(rowsOf(document), context, null);
  return { ...graph, name, readings: document.length > 1 && document.length <= 3 ? graph.readings : [] };
}

function isEdges(document) {
  if (!isList(document) || !document.length) return false;
  if (document.some(isList) && document.every((item) => isList(item) || isText(item))) return true;
  return document.every(isObject) && endsOf(document[0]) !== null;
}

function edges(document, context, name) {
  const graph = nodeLink(new Map([["edges", document]]), context, name);
  return { ...graph, read_as: context.readAs("json-edges"), readings: isSquare(document) ? [{ as: "matrix", title: context.said("columns.as_matrix") }] : [] };
}

function isDictionary(document) {
  if (!isObject(document) || !document.size) return false;
  const values = [...document.values()];
  const inner = (value) => (isList(value) ? value : [...value.keys()]);
  if (!values.every(isList) && !values.every((value) => isObject(value) && [...value.values()].every(isObject))) return false;
  return values.flatMap(inner).every((item) => document.has(keyOf(item)?.[1]));
}

function dictionary(document, context, name) {
  const builder = new Builder(context, name, "json-dict", true);
  for (const key of document.keys()) builder.node(key);
  const lists = [...document].map(([u, others]) => [u, isList(others) ? others.map((item) => [keyOf(item)[1]]) : [...others]]);
  const listed = new Set(lists.flatMap(([u, others]) => others.map(([v]) => dumps([u, v]))));
  for (const [u, others] of lists) {
    for (const [v, values] of others) {
      const mirrored = listed.has(dumps([v, u]));
      if (mirrored && builder.index.get(u) > builder.index.get(v)) continue;
      const k = builder.edge(builder.index.get(u), builder.index.get(v), null, !mirrored);
      if (values) builder.edgeValues(k, values);
    }
  }
  return builder.finish();
}

// ---- which it is ----------------------------------------------------------------------------------------------------

// in the order in which Python asks
const DIALECTS = [
  ["plain", isPlain, plain],
  ["cytoscape", isCytoscape, cytoscape],
  ["neo4j", isNeo4j, neo4j],
  ["graphology", isGraphology, graphology],
  ["canvas", isCanvas, canvas],
  ["sigma", isSigma, sigma],
  ["node-link", isNodeLink, nodeLink],
  ["json-matrix", isMatrix, matrix],
  ["json-edges", isEdges, edges],
  ["json-dict", isDictionary, dictionary],
];

// the graph of a document; null where no dialect knows it
export function read(document, context, name) {
  const chosen = isSquare(document) ? { matrix: "json-matrix", edges: "json-edges" }[context.as] : undefined;
  const found = DIALECTS.find(([called, knows]) => (chosen ? called === chosen : knows(document)));
  if (!found) return null;
  const [format, , make] = found;
  const graph = make(document, context, name);
  return { ...graph, format, read_as: graph.read_as ?? context.readAs(format) };
}

// the same of lines that are Neo4j's, or edges
export function readLines(items, context, name) {
  const [, , make] = DIALECTS.find(([called, knows]) => ["neo4j", "json-edges"].includes(called) && knows(items)) ?? [];
  return make ? make(items, context, name) : null;
}

// Throws where a document is in a format of another program that is not read.
export function refuse(document, context) {
  const kind = kindOf(document);
  if (!kind) return;
  const [title, advice] = context.given.json_kinds[kind];
  throw context.refused("refused.refused", { kind: title, advice });
}

function kindOf(document) {
  if (isList(document)) return document.slice(0, 3).some((item) => isObject(item) && (item.has("CXVersion") || item.has("numberVerification"))) ? "cx" : null;
  if (!isObject(document)) return null;
  const has = (key) => document.has(key);
  if ((has("vertices") && (has("mode") || has("@type"))) || has("outE") || has("inE") || document.get("@type") === "tinker:graph") return "graphson";
  const type = document.get("type");
  if (["FeatureCollection", "Topology", "Feature"].includes(type)) return "geojson";
  if (has("@context") || has("@graph")) return "json-ld";
  if (isList(document.get("objects")) && has("_subgraph_cnt")) return "graphviz";
  if (type === "excalidraw") return "excalidraw";
  return has("cells") && has("nbformat") ? "notebook" : null;
}

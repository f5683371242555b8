// What each layer of a network computes for one vertex and, after the first pooling, for its cluster: the documents of
// mivspool/learning/inside.py.
const VIEWS = ["structure", "feature", "diffusion"];
const list = (values) => Array.from(values);

// network: network.Network; features, graph: as its forward takes them; ids: of the vertices; at: which of them
export function inside(network, features, graph, ids, at) {
  const documents = [];
  let [nodes, headless] = [ids, false];
  const opens = {
    convolution: (layer, { before, after, level }) => ({
      vertex: nodes[at],
      before: list(before.row(at)),
      neighbours: network.neighbours(level, layer, at).map(([v, weight]) => ({ vertex: nodes[v], weight })),
      after: list(after.row(at)),
    }),
    normalisation: (_, { before, after }) =>
      headless ? { value: list(after.data), before: list(before.data) } : { vertex: nodes[at], before: list(before.row(at)), after: list(after.row(at)) },
    pooling: ({ options: { reduction } }, { before, after, scored: { score, views, largest, parts }, pooled: { cluster, kept } }) => {
      const { seen, gates, shares } = parts(at);
      const home = cluster[at];
      const members = [...cluster.keys()].filter((v) => cluster[v] === home);
      const total = reduction === "sum" ? 1 : members.reduce((sum, v) => sum + score[v], 0);
      const found = {
        vertex: nodes[at],
        before: list(before.row(at)),
        score: score[at],
        views: VIEWS.map((name, k) => ({ name, value: views[k][at], largest: largest[k], scaled: seen[k], gate: gates[k], weight: shares[k] })),
        members: members.map((v) => ({ vertex: nodes[v], score: score[v], factor: score[v] / total })),
        after: list(after.row(home)),
      };
      nodes = kept.map((v) => nodes[v]);
      at = home;
      return { ...found, next: nodes[at] };
    },
    readout: ({ options: { of } }, { before, read }) => {
      const found = Object.fromEntries(of.map((name, k) => [name === "max" ? "maximum" : name, list(read.data.subarray(k * before.columns, (k + 1) * before.columns))]));
      if (!of.includes("max")) return found;
      const first = (j) => nodes.findIndex((_, v) => before.data[v * before.columns + j] === found.maximum[j]);
      return { ...found, maximum_vertex: found.maximum.map((_, j) => nodes[first(j)]) };
    },
    join: (_, { after }) => {
      headless = true;
      return { value: list(after.data) };
    },
    mlp: (_, { steps }) => ({ steps, logits: steps.at(-1).value }),
  };
  const { probabilities } = network.forward(features, graph, (layer, told) => documents.push({ kind: layer.kind, name: layer.name, ...opens[layer.kind](layer, told) }));
  Object.assign(documents.at(-1), { probabilities });
  return documents;
}

// the layers up to a pooling and its readout, those of block `block`; the last block has the rest, up to the join
export function ofBlock(layers, block) {
  const head = layers.findIndex(({ kind }) => kind === "join");
  const poolings = [...layers.keys()].filter((i) => layers[i].kind === "pooling");
  const ends = poolings.map((i) => (i + 1 < head && layers[i + 1].kind === "readout" ? i + 2 : i + 1));
  return layers.slice(block ? ends[block - 1] : 0, block < poolings.length - 1 ? ends[block] : head);
}

export const afterBlocks = (layers) => layers.slice(layers.findIndex(({ kind }) => kind === "join"));

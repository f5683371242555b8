// The clusters of a trace (payload.trace_data): which vertex is in which, and what Eq. 12 and Eq. 3 make of one of them.

// the reduced graph's vertices in order, and for each vertex the place of its survivor among them
export function columnsOf({ ids, survivor, cluster }) {
  const kept = ids.map((_, v) => v).filter((v) => survivor[v]);
  const place = new Map(kept.map((v, i) => [v, i]));
  return { kept, column: Array.from(cluster, (v) => place.get(v)) };
}

// Eq. 12: the members of a column, best first, and the share of each in the mean of their features
export function membersOf(trace, column, home) {
  const { ids, rank, score } = trace;
  const members = ids.map((_, v) => v).filter((v) => column[v] === home);
  members.sort((a, b) => rank[a] - rank[b]);
  const sum = members.reduce((total, v) => total + score[v], 0);
  return { members, sum, shares: members.map((v) => score[v] / sum) };
}

// Eq. 3: one row of SᵀAS, its diagonal first: [{to, weight, edges: [[u, v, weight]]}]. loops: the diagonal of A, or null
export function rowOf({ edges, weight }, loops, column, home) {
  const found = new Map();
  const add = (to, value, edge) => {
    const entry = found.get(to) ?? { to, weight: 0, edges: [] };
    entry.weight += value;
    if (edge) entry.edges.push(edge);
    found.set(to, entry);
  };
  for (let e = 0; e < edges.length; e += 2) {
    const [u, v] = [edges[e], edges[e + 1]];
    const value = weight ? weight[e / 2] : 1;
    if (column[u] === home && column[v] === home) add(home, 2 * value, [u, v, value]);
    else if (column[u] === home) add(column[v], value, [u, v, value]);
    else if (column[v] === home) add(column[u], value, [u, v, value]);
  }
  const inside = loops ? loops.reduce((total, value, v) => (column[v] === home ? total + value : total), 0) : 0;
  if (inside) add(home, inside, null);
  return [...found.values()].sort((a, b) => Number(b.to === home) - Number(a.to === home) || a.to - b.to);
}

// Eq. 3: one entry of SᵀAS multiplied out. S is 1 for the vertices of these two clusters, rows and columns (best first), and 0
// for all others: the entry is the sum of the values of A between them, one list per row.
export function blockOf(trace, loops, column, home, to) {
  const { edges, weight } = trace;
  const [rows, columns] = [home, to].map((c) => membersOf(trace, column, c).members);
  const values = rows.map((u) => columns.map((v) => (u === v && loops ? loops[u] : 0)));
  for (let e = 0; e < edges.length; e += 2) {
    for (const [u, v] of [[edges[e], edges[e + 1]], [edges[e + 1], edges[e]]]) {
      const [i, j] = [rows.indexOf(u), columns.indexOf(v)];
      if (i >= 0 && j >= 0) values[i][j] += weight ? weight[e / 2] : 1;
    }
  }
  return { rows, columns, values };
}

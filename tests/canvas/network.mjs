// Reads networks and graphs as JSON on standard input, answers with what the canvas's modules compute of each.
import { readFileSync } from "node:fs";
import { inside } from "../../mivspool/canvas/js/model/inside.js";
import { calibrated, decoded, Network, without } from "../../mivspool/canvas/js/model/network.js";

const answers = JSON.parse(readFileSync(0, "utf8")).map(({ description, weights, graphs, calibration }) => {
  const network = new Network(description, decoded(weights));
  return graphs.map(({ x, edges, weight, n, keep, opened }) => {
    const features = Float32Array.from(x);
    const { logits, probabilities, levels } = network.forward(features, { n, edges, weight });
    const left = (keep ?? []).map((kept) => {
      const rest = without(features, { n, edges, weight }, kept);
      return network.forward(rest.features, rest.graph).probabilities;
    });
    return { logits, probabilities, levels: levels.map(({ score, kept, cluster }) => ({ score, kept, cluster })), left, calibrated: calibration ? calibrated(probabilities, calibration) : null, inside: opened ? inside(network, features, { n, edges, weight }, opened.ids, opened.at) : null };
  });
});
process.stdout.write(JSON.stringify(answers));

// A person's own graphs: chosen, dropped or pasted, and how a link names them, as the app's links do (app/sources/uploads.py). A
// small file is in the link itself, compressed; a larger one, or several, are kept by this browser's tab. A link names a graph as
// FILE~INDEX, or FILE~INDEX~READING. The readers (canvas/js/read) are a script of their own that is loaded with the first file,
// and RDKit, where the site has it, with the first SMILES.
import { written } from "canvas/model/written.js";
import { fillText } from "canvas/model/text.js";
import { element } from "canvas/panels/element.js";
import { RESET } from "./link.js";

const MOST_IN_LINK = 4000;
const MOST_EXPANDED = 2_000_000;
const [IN_LINK, HERE, MARK] = ["z.", "file-", "~"];
const SMILES = Symbol("a file has SMILES, and RDKit is not loaded");
const OURS = /^(z\.|upload-|file-)[^~]*~/;

const through = async (data, stream) => new Uint8Array(await new Response(new Blob([data]).stream().pipeThrough(stream)).arrayBuffer());
const text64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
const bytes64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

async function packed({ name, data }) {
  const named = new TextEncoder().encode(`${name}\0`);
  const made = await through(new Blob([named, data]), new CompressionStream("deflate"));
  return text64(made).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpacked(text) {
  const whole = await through(bytes64(text.replaceAll("-", "+").replaceAll("_", "/")), new DecompressionStream("deflate"));
  const mark = whole.indexOf(0);
  if (mark < 0 || whole.length > MOST_EXPANDED) throw new RangeError("damaged");
  return { name: new TextDecoder().decode(whole.subarray(0, mark)), data: whole.slice(mark + 1) };
}

// what an entity of HTML stands for, undefined where it stands for nothing
function named(word) {
  const { textContent } = new DOMParser().parseFromString(`&${word};`, "text/html").body;
  return textContent.endsWith(";") && word !== "semi" ? undefined : textContent;
}

export class Own {
  // words: what is said; sizes: see levels.difficulty; most: vertices of a graph that is shown; smiles: whether the site has RDKit
  constructor({ words, sizes, most, smiles }) {
    Object.assign(this, { words, sizes, most, smiles, files: new Map(), read: new Map(), loading: new Map() });
  }

  is(source) {
    return OURS.test(source ?? "");
  }

  // what reader.js calls: see read/entry.js and read/molecules.js
  reader({ readGraphs, molecules }, given) {
    const ofSmiles = (...asked) => {
      if (!this.rdkit) throw SMILES;
      return molecules(this.rdkit)(...asked);
    };
    this.reads = (files, as) => readGraphs(files, { ...given, named }, { as, molecules: this.smiles ? ofSmiles : null });
  }

  // what smiles.js calls; starts: how RDKit is started
  chemistry(starts) {
    this.starts = starts;
  }

  script(file) {
    if (!this.loading.has(file)) {
      const loaded = new Promise((resolve, reject) => {
        const failed = () => {
          this.loading.delete(file);
          reject(new Error(fillText(this.words.missing, { file })));
        };
        document.head.append(element("script", { src: file, onload: resolve, onerror: failed }));
      });
      this.loading.set(file, loaded);
    }
    return this.loading.get(file);
  }

  // the name, for the link, of the first graph of some files. Throws with the sentence why there is none.
  async keep(files) {
    this.checked(await this.graphsOf(files, ""), 0);
    const alone = files.length === 1 && typeof CompressionStream !== "undefined" ? await packed(files[0]) : "";
    if (alone && alone.length <= MOST_IN_LINK) return `${IN_LINK}${alone}${MARK}0`;
    const name = HERE + Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.files.set(name, files);
    try {
      sessionStorage.setItem(`mivspool-${name}`, JSON.stringify(files.map((file) => [file.name, text64(file.data)])));
    } catch {
      // this page keeps it, the others of the site do not
    }
    return `${name}${MARK}0`;
  }

  async content(file) {
    if (this.files.has(file)) return this.files.get(file);
    if (file.startsWith(IN_LINK)) {
      try {
        return [await unpacked(file.slice(IN_LINK.length))];
      } catch {
        throw new Error(this.words.damaged);
      }
    }
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(`mivspool-${file}`));
    } catch {
      // a browser that keeps nothing for this page
    }
    if (!kept) throw new Error(this.words.gone);
    return kept.map(([name, text]) => ({ name, data: bytes64(text) }));
  }

  // the graphs of some files; RDKit is loaded with the first SMILES, of which `waits` hears
  async graphsOf(files, as) {
    await this.script("reader.js");
    try {
      return this.reads(files, as);
    } catch (error) {
      if (error.name === "RuntimeError") {
        this.rdkit = null; // its memory is no longer sound
        throw new Error(this.words.no_smiles);
      }
      if (error !== SMILES) throw error;
    }
    this.waits?.(this.words.loading);
    try {
      await this.script("smiles.js");
      this.rdkit = await this.starts().catch(() => {
        throw new Error(this.words.no_smiles);
      });
    } finally {
      this.waits?.("");
    }
    return this.graphsOf(files, as);
  }

  checked(graphs, index) {
    const { count_of, too_large } = this.words;
    if (index >= graphs.length) throw new Error(fillText(count_of, { n: graphs.length, index }));
    const graph = graphs[index];
    const n = graph.nodes.length;
    if (n > this.most) throw new Error(fillText(too_large, { source: graph.name, n, most: this.most }));
    return graph;
  }

  // {entry, data, about} of a graph, as Graphs has them. Throws with the sentence why there is none.
  async open(source) {
    const [file, index, as = ""] = source.split(MARK);
    const files = await this.content(file);
    const key = `${file}${MARK}${as}`;
    if (!this.read.has(key)) this.read.set(key, await this.graphsOf(files, as));
    const graphs = this.read.get(key);
    const at = /^\d{1,9}$/.test(index) ? Number(index) : 0;
    const graph = this.checked(graphs, at);
    const data = written(graph, this.sizes);
    const [[first]] = Object.values(data);
    const own = { graphs: graphs.length, index: at, file, as, read_as: graph.read_as, readings: graph.readings, repairs: graph.repairs };
    const entry = { source, file: null, title: graph.name, says: "", scores: Object.keys(data), n: graph.nodes.length, hard: first.hard, complement: false, own };
    return { entry, data, about: { name: graph.name, collection: null, origin: null, label: graph.label, attributes: graph.node_attributes } };
  }
}

// Where files are chosen, dropped or pasted, and what is said of the one that is shown. chosen(change): the page goes there.
export class Upload {
  constructor(own, chosen) {
    Object.assign(this, { own, words: own.words, chosen });
    this.box = document.querySelector(".upload");
    const find = (kind) => this.box.querySelector(kind);
    this.error = find("[role=alert]");
    this.told = document.querySelector(".read-as");
    own.waits = (text) => this.say(text);
    const [files, pasted] = [find("input"), find("textarea")];
    files.onchange = () => files.files.length && this.take([...files.files]).then(() => (files.value = ""));
    find("button").onclick = () => {
      if (!pasted.value.trim()) this.say(this.words.paste_first);
      else this.take([new File([pasted.value], this.words.pasted_name)]);
    };
    const carries = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    addEventListener("dragover", (event) => carries(event) && event.preventDefault());
    addEventListener("drop", (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      this.box.open = true;
      this.take([...event.dataTransfer.files]);
    });
    this.box.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.box.open) return;
      this.box.open = false;
      find("summary").focus();
    });
  }

  say(text) {
    this.error.textContent = text;
    this.error.hidden = !text;
  }

  async take(given) {
    this.say("");
    try {
      const files = await Promise.all(given.map(async (file) => ({ name: file.name, data: new Uint8Array(await file.arrayBuffer()) })));
      const source = await this.own.keep(files);
      this.box.open = false;
      this.chosen({ ...RESET, graph: source, score: "" });
    } catch (error) {
      this.say(sentence(error, this.words));
    }
  }

  // how the graph that is shown was read, and how else it can be
  show({ source, title, own }) {
    const select = document.getElementById("graph");
    this.group?.remove();
    this.told.hidden = !own;
    if (!own) return this.told.replaceChildren();
    this.group = element("optgroup", { label: this.words.own_graph }, element("option", { value: source }, title));
    select.prepend(this.group);
    select.value = source;
    const go = (index, as) => this.chosen({ ...RESET, graph: `${own.file}${MARK}${index}${as && MARK + as}`, score: "" });
    const readings = [...own.readings, ...(own.as ? [{ as: "", title: this.words.read_again }] : [])];
    const buttons = readings.map(({ as, title: text }) => element("button", { type: "button", onclick: () => go(0, as) }, text));
    const several = element("select", { "aria-label": this.words.which, onchange: () => go(several.value, own.as) });
    for (let k = 0; k < Math.min(own.graphs, 1000); k++) several.append(element("option", { value: k }, fillText(this.words.one_of, { k: k + 1, n: own.graphs })));
    several.value = own.index;
    const repairs = own.repairs.map((one) => element("li", {}, one));
    return this.told.replaceChildren(
      element("p", { dir: "auto" }, own.read_as, " ", ...(own.graphs > 1 ? [several] : []), ...buttons),
      ...(repairs.length ? [element("ul", { dir: "auto" }, ...repairs)] : []),
    );
  }
}

// an error's message as a sentence on a page (mivspool/messages.py), with the line that it is about
function sentence({ message, line }, words) {
  const named = message.split(" ", 1)[0].includes(".");
  const text = named ? message : message.slice(0, 1).toUpperCase() + message.slice(1);
  return (/[.!?…]$/.test(text) ? text : `${text}.`) + (line ? fillText(words.line, { line: line.toLocaleString("en") }) : "");
}

// Bytes to text: byte-order mark, UTF-8, then cp1252 with a notice (mivspool/graphs/read/parts/decode.py).

const MARKS = [
  [[0xef, 0xbb, 0xbf], "utf-8-sig"],
  [[0xff, 0xfe, 0, 0], "utf-32"],
  [[0, 0, 0xfe, 0xff], "utf-32"],
  [[0xff, 0xfe], "utf-16"],
  [[0xfe, 0xff], "utf-16"],
];
const DECLARED = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/;
const XML_ENCODINGS = /^(utf-?(8|16(le|be)?|32)|us-ascii|ascii|(iso-?8859|latin)-?\d{1,2}|windows-125\d|cp125\d|koi8-[ru]|mac-?roman|shift_?jis|euc-(jp|kr)|gb(k|2312|18030)|big5)$/i;
const QUOTED_CELL = /(?:(?<=[,;\t\n])|^)"(?:[^"]|"")*"(?=[,;\t\r\n]|$)/g;
const HEAD = 4000;
const CP1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ"; // from 0x80 on

export const begins = (data, mark) => mark.every((byte, i) => data[i] === byte);
export const bytesOf = (text) => Array.from(text, (c) => c.charCodeAt(0));
const latin = (data) => {
  let text = "";
  for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
  return text;
};

const cp1252 = (data) => latin(data).replace(/[\x80-\x9f]/g, (c) => CP1252[c.charCodeAt(0) - 0x80]);

// {text, encoding, notices}
export function decode(data, context) {
  for (const [mark, encoding] of MARKS) if (begins(data, mark)) return { text: strict(data, encoding, context), encoding, notices: [] };
  refuseBinary(data, context);
  const wide = wideOf(data);
  if (wide) return { text: strict(data, wide, context), encoding: wide, notices: [context.said("decode.wide", { encoding: wide })] };
  const declared = DECLARED.exec(latin(data.subarray(0, 2000)))?.[1].toLowerCase();
  if (declared && declared !== "utf-8" && declared !== "utf8" && XML_ENCODINGS.test(declared)) return { text: strict(data, declared, context), encoding: declared, notices: [] };
  const notices = [];
  const text = tried(data, "utf-8") ?? cp1252(data);
  const wrong = wrongAt(data);
  if (wrong < data.length) notices.push(context.said("decode.cp1252", { line: data.subarray(0, wrong).reduce((n, byte) => n + (byte === 10), 1) }));
  refuseNoise(text, context);
  return { text, encoding: notices.length ? "cp1252" : "utf-8", notices };
}

function tried(data, encoding) {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(data);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    return null; // not in this encoding, or one that the browser does not know
  }
}

function strict(data, encoding, context) {
  const plain = encoding.replaceAll("-", "").replaceAll("_", "");
  let text = null;
  if (encoding === "utf-8-sig") text = tried(data.subarray(3), "utf-8");
  else if (plain === "utf32") text = utf32(data);
  else if (encoding === "utf-16" || encoding === "utf16") text = tried(data.subarray(2), data[0] === 0xff ? "utf-16le" : "utf-16be");
  else if (/^(iso8859|latin)1$/.test(plain)) text = latin(data);
  else if (/^(windows|cp)1252$/.test(plain)) text = cp1252(data);
  else if (/ascii$/.test(plain)) text = data.some((byte) => byte > 127) ? null : latin(data);
  else text = tried(data, encoding.replace(/-(le|be)$/, "$1").replace(/^latin-?/, "latin").replace(/^mac-?roman$/, "macintosh").replace(/^utf-?16/, "utf-16").replace(/^utf-?8$/, "utf-8"));
  if (text === null) throw context.refused("decode.strict", { encoding });
  return text;
}

function utf32(data) {
  if (data.length % 4) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const little = data[0] === 0xff;
  let text = "";
  for (let at = 4; at < data.length; at += 4) {
    const code = view.getUint32(at, little);
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return null;
    text += String.fromCodePoint(code);
  }
  return text;
}

// where the bytes are no UTF-8, their number where they are
function wrongAt(data) {
  let at = 0;
  while (at < data.length) {
    const lead = data[at];
    const more = lead < 0x80 ? 0 : lead >= 0xc2 && lead < 0xe0 ? 1 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xf0 && lead < 0xf5 ? 3 : -1;
    if (more < 0) return at;
    if (more) {
      const [low, high] = { 0xe0: [0xa0, 0xbf], 0xed: [0x80, 0x9f], 0xf0: [0x90, 0xbf], 0xf4: [0x80, 0x8f] }[lead] ?? [0x80, 0xbf];
      for (let k = 1; k <= more; k++) if (!(data[at + k] >= (k === 1 ? low : 0x80) && data[at + k] <= (k === 1 ? high : 0xbf))) return at;
    }
    at += more + 1;
  }
  return at;
}

// a picture, a program or another file that holds no graph
export function refuseBinary(data, context) {
  for (const [mark, kind] of context.given.pictures) {
    if (begins(data, bytesOf(mark)) && (mark.length > 2 || data.subarray(0, 64).includes(0))) throw context.refused("decode.binary", { kind });
  }
}

// UTF-16 without a mark shows as a zero in nearly every second byte
function wideOf(data) {
  const head = data.subarray(0, 2000);
  if (head.length < 4 || data.length % 2) return null;
  const zeros = [0, 1].map((from) => head.filter((byte, i) => i % 2 === from && byte === 0).length);
  const half = head.length >> 1;
  if (zeros[1] > 0.6 * half && !zeros[0]) return "utf-16-le";
  return zeros[0] > 0.6 * half && !zeros[1] ? "utf-16-be" : null;
}

// more than a tenth of the first characters are control characters, or all that is there
function refuseNoise(text, context) {
  const start = Array.from(text.slice(0, 2 * HEAD)).slice(0, HEAD).join("");
  const head = start.replace(QUOTED_CELL, "");
  const strange = (head.match(/[\x00-\x08\x0b\x0e-\x1f]/g) ?? []).length;
  if (strange > Math.max(2, Math.floor(Array.from(head).length / 10)) || (strange && !/[^\x00-\x20]/.test(start))) throw context.refused("decode.noise");
}

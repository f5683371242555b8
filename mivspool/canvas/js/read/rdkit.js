// RDKit's WebAssembly in a page whose policy lets no text become a script. The glue that Emscripten writes beside it calls
// `new Function` for each function that C++ offers; here it is given `invoker` in the place of that.

// What `new Function(names, body)` would be, of the text that Emscripten's createJsInvoker writes: it takes values of those names
// and gives a function that turns its arguments into C++'s, calls, and turns back what comes.
export function invoker(names, body) {
  const does = (text) => body.includes(text);
  return function made(...values) {
    const given = Object.fromEntries(names.map((name, i) => [name, values[i]]));
    const wires = names.filter((name) => /^toArg\d+Wire$/.test(name));
    const freed = names.filter((name) => name.endsWith("_dtor"));
    return function called(...args) {
      const destructors = does("var destructors") ? [] : null;
      const stack = given.stackSave?.();
      const wired = {};
      let result;
      try {
        if (does("var thisWired")) wired.thisWired = given.toClassParamWire(destructors, this);
        wires.forEach((name, i) => {
          wired[`arg${i}Wired`] = given[name](destructors, args[i]);
        });
        result = given.invoker(given.fn, ...Object.values(wired));
      } finally {
        if (given.stackRestore) given.stackRestore(stack);
      }
      if (destructors) given.runDestructors(destructors);
      for (const name of freed) given[name](wired[name.replace(/_dtor$/, "")]);
      return does("fromRetWire(rv)") ? given.fromRetWire(result) : undefined;
    };
  };
}

// RDKit of its glue, (Function) → its init, and its WebAssembly, gzipped, in base64
export async function start(glue, packed) {
  const gzipped = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const unpacked = new Blob([gzipped]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = await new Response(unpacked).arrayBuffer();
  return new Promise((resolve, reject) => {
    const instantiateWasm = (imports, done) => WebAssembly.instantiate(bytes, imports).then(({ instance }) => done(instance), reject);
    const ready = (rdkit) => {
      rdkit.disable_logging(); // what it has against a SMILES, the page says
      resolve(rdkit);
    };
    glue(invoker)({ instantiateWasm }).then(ready, reject);
  });
}

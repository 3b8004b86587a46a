// Measures a study beside the page, so that the page stays alive and may end this at any time.
// Nothing is sent anywhere: the file comes from the page, the report goes back to it.

let loading;
const load = ({ module, wasm }) => {
  loading ??= import(module).then(async (loaded) => {
    await loaded.default({ module_or_path: wasm });
    return loaded;
  });
  return loading;
};

addEventListener('message', async ({ data }) => {
  let module;
  try {
    module = await load(data);
  } catch {
    postMessage({ kind: 'failed', words: 'Loading failed. Reload the page.' });
    return;
  }
  try {
    const found = module.measure(new Uint8Array(data.bytes), data.fields, (step, done, of) => {
      postMessage({ kind: 'progress', step, done, of });
    });
    const { json, text, html, parts } = found;
    found.free();
    postMessage({ kind: 'measured', json, text, html, parts });
  } catch (reason) {
    // A refusal is a sentence; anything else is a fault, after which the module is not used again.
    const isRefusal = typeof reason === 'string';
    const words = isRefusal ? reason : 'The study could not be measured: it may be too large for a browser. The command line takes it.';
    // A table that can be read in several ways comes back with all of them.
    const choices = isRefusal ? module.choices(new Uint8Array(data.bytes), data.fields) : undefined;
    postMessage({ kind: isRefusal ? 'refused' : 'failed', words, choices: JSON.parse(choices ?? '[]') });
  }
});

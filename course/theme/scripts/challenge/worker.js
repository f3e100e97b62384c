/**
 * Python in a worker: loads Pyodide and NumPy, then does one task after the other. The page makes
 * it from its text, so it imports nothing but the runtime whose address it is told.
 */

/** @typedef {{base: string, harness: string}} Beginning */
/** @typedef {{begin: Beginning} | {task: Record<string, unknown>}} Order */

const SINGLE_POSTS = 200;
const BATCH = 4_000;
const MOST = 100_000;

/** @type {(task: string) => string} */
let perform = () => "";
let posts = 0;
let written = 0;
/** @type {{stream: string, text: string}} */
let waiting = { stream: "", text: "" };

self.onmessage = (event) => {
  /** @type {Order} */
  const order = event.data;
  if ("begin" in order) {
    begin(order.begin).then(
      () => self.postMessage({ ready: true }),
      (error) => self.postMessage({ failed: String(error?.message ?? error) }),
    );
    return;
  }
  posts = written = 0;
  try {
    const result = JSON.parse(perform(JSON.stringify(order.task)));
    flush();
    self.postMessage({ done: result });
  } catch (error) {
    flush();
    self.postMessage({ crashed: String(error) });
  }
};

/** @param {Beginning} beginning */
async function begin({ base, harness }) {
  self.postMessage({ progress: "Loading Python. The first time takes a moment." });
  const { loadPyodide } = await import(`${base}pyodide.mjs`);
  const pyodide = await loadPyodide({ indexURL: base });
  self.postMessage({ progress: "Loading NumPy." });
  /** @type {string[]} */
  const problems = [];
  await pyodide.loadPackage("numpy", {
    messageCallback: () => {},
    errorCallback: (/** @type {string} */ text) => problems.push(text),
  });
  if (problems.length > 0) throw new Error(problems.join("\n"));
  self.postMessage({ progress: "Starting." });
  pyodide.globals.set("page_write", write);
  pyodide.runPython(harness, { filename: "harness.py" });
  perform = pyodide.globals.get("perform");
}

/**
 * Pass printed text on: at once as long as there is little, then in batches, at last not at all.
 * @param {string} stream
 * @param {string} text
 */
function write(stream, text) {
  if (written >= MOST) return;
  const rest = MOST - written;
  written += text.length;
  if (stream !== waiting.stream) flush();
  waiting = { stream, text: waiting.text + text.slice(0, rest) };
  if (posts < SINGLE_POSTS || waiting.text.length >= BATCH || written >= MOST) flush();
  if (written >= MOST) {
    self.postMessage({ stream: "note", text: "\nThe rest of the output is not shown.\n" });
  }
}

function flush() {
  if (waiting.text) {
    self.postMessage(waiting);
    posts += 1;
  }
  waiting = { stream: "", text: "" };
}

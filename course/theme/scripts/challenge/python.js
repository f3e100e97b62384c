/** The page's side of Python: start the worker when it is first needed, give it tasks, end it. */

/** @typedef {{name: string, source: string}} Part */
/** @typedef {{name: string, message: string, trace: string}} Outcome */
/** @typedef {{trace: string, cases: Outcome[], broken?: {name: string, line: number | null}[]}} Result */
/**
 * @typedef {object} Listener
 * @property {(text: string) => void} progress
 * @property {(stream: string, text: string) => void} output
 */

/** Why no result came: `stopped` by the student, `unavailable` runtime, or `crashed`. */
export class NoResult extends Error {
  /**
   * @param {"stopped" | "unavailable" | "crashed"} reason
   * @param {string} detail
   */
  constructor(reason, detail) {
    super(detail);
    this.reason = reason;
  }
}

export class Python {
  /**
   * @param {string} base address of the folder with the Pyodide release
   * @param {string} worker text of the worker
   * @param {string} harness text of the Python that the worker runs
   */
  constructor(base, worker, harness) {
    this.base = new URL(base.endsWith("/") ? base : `${base}/`, document.baseURI).href;
    this.source = worker;
    this.harness = harness;
    /** @type {Worker | null} */
    this.worker = null;
    this.ready = false;
    /** @type {string | undefined} where the browser finds the worker */
    this.address = undefined;
    /** @type {((reason: NoResult) => void) | null} */
    this.giveUp = null;
  }

  /**
   * Do a task; rejects with NoResult.
   * @param {Record<string, unknown>} task
   * @param {Listener} listener
   * @returns {Promise<Result>}
   */
  perform(task, listener) {
    return new Promise((resolve, reject) => {
      const worker = this.worker ?? this.begin();
      this.giveUp = (reason) => {
        this.end();
        reject(reason);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        this.giveUp?.(new NoResult(this.ready ? "crashed" : "unavailable", event.message ?? ""));
      };
      worker.onmessage = ({ data }) => {
        if ("progress" in data) listener.progress(data.progress);
        else if ("stream" in data) listener.output(data.stream, data.text);
        else if ("failed" in data) this.giveUp?.(new NoResult("unavailable", data.failed));
        else if ("crashed" in data) this.giveUp?.(new NoResult("crashed", data.crashed));
        else if ("ready" in data) {
          this.ready = true;
          listener.progress("");
          worker.postMessage({ task });
        } else {
          this.giveUp = null;
          resolve(data.done);
        }
      };
      if (this.ready) worker.postMessage({ task });
    });
  }

  begin() {
    this.address ??= workerAddress(this.source);
    this.worker = new Worker(this.address, { type: "module" });
    this.worker.postMessage({ begin: { base: this.base, harness: this.harness } });
    return this.worker;
  }

  /** End whatever runs; the next task starts Python anew. */
  stop() {
    this.giveUp?.(new NoResult("stopped", ""));
  }

  end() {
    this.worker?.terminate();
    this.worker = null;
    this.ready = false;
    this.giveUp = null;
  }
}

/**
 * An address for the worker's text. A page opened as a file may not make a module worker from a
 * Blob (Chromium); one from a data address may not read a folder beside a page that is served.
 * @param {string} source
 */
function workerAddress(source) {
  if (location.protocol === "file:") return `data:text/javascript,${encodeURIComponent(source)}`;
  return URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
}

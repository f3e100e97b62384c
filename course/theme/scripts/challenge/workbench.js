/** One challenge: its editor, its buttons, its output. */

import { find, make } from "../shared/dom.js";
import { recall, remember } from "../shared/memory.js";
import { Output } from "./output.js";
import { NoResult } from "./python.js";
import { typeCode } from "./typing.js";

/** @typedef {import("../shared/lesson.js").Challenge} Challenge */
/** @typedef {import("../shared/lesson.js").Lesson} Lesson */
/** @typedef {import("./python.js").Part} Part */
/** @typedef {import("./python.js").Python} Python */
/** @typedef {import("./python.js").Result} Result */

export class Workbench {
  /**
   * @param {HTMLElement} block
   * @param {Challenge} challenge
   * @param {Python} python
   * @param {Workbench[]} benches all of the page, in order; their code runs before this one's
   * @param {Lesson} lesson
   */
  constructor(block, challenge, python, benches, lesson) {
    this.block = block;
    this.challenge = challenge;
    this.python = python;
    this.benches = benches;
    this.notebook = lesson.file.replace(/\.py$/, ".ipynb");
    this.field = find(block, "textarea", HTMLTextAreaElement);
    this.output = new Output(find(block, ".editor-output", HTMLElement));
    this.field.value = recall(this.key, challenge.starter);
    this.field.addEventListener("input", () => remember(this.key, this.field.value));
    typeCode(this.field);
    this.run = this.button("Run", () => this.perform("run"));
    this.check = this.button("Check", () => this.perform("check"));
    this.stop = this.button("Stop", () => this.python.stop());
    this.reset = this.button("Reset", () => this.replace(challenge.starter));
    this.undo = this.button("Undo reset", () => this.replace(this.before ?? ""));
    this.undo.hidden = true;
    for (const quiet of [this.stop, this.reset, this.undo]) quiet.classList.add("quiet");
    find(block, ".editor-controls", HTMLElement).append(
      this.run,
      this.check,
      this.stop,
      this.reset,
      this.undo,
    );
    this.busy(false);
  }

  get key() {
    return `code:${this.challenge.id}`;
  }

  /** @returns {Part} */
  part() {
    return { name: `${this.challenge.id}.py`, source: this.field.value };
  }

  /**
   * @param {string} text
   * @param {() => void} act does nothing while the button is switched off
   */
  button(text, act) {
    const button = make("button", { type: "button" }, text);
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled") !== "true") act();
    });
    return button;
  }

  /** @param {string} code in place of what was written */
  replace(code) {
    const resetting = code === this.challenge.starter && code !== this.field.value;
    if (resetting) this.before = this.field.value;
    this.field.value = code;
    this.field.dispatchEvent(new Event("lesson:set"));
    remember(this.key, code);
    this.undo.hidden = !resetting;
    this.output.clear();
    this.output.say(resetting ? "The starter code is back." : "");
    if (!resetting) this.reset.focus();
  }

  /** @param {"run" | "check"} what */
  async perform(what) {
    const { output } = this;
    const before = this.benches.slice(0, this.benches.indexOf(this)).map((bench) => bench.part());
    const task = { what, before, part: this.part(), test: this.challenge.test };
    output.clear();
    const working = what === "run" ? "Running." : "Checking.";
    output.say(this.python.ready ? working : "Starting Python.");
    for (const bench of this.benches) bench.busy(true, bench === this);
    const patience = setTimeout(() => {
      if (this.python.ready) output.say("Still running. Stop ends it.");
    }, 8_000);
    try {
      const result = await this.python.perform(task, {
        progress: (text) => output.say(text || working),
        output: (stream, text) => output.write(stream, text),
      });
      this.show(what, result);
    } catch (error) {
      if (!(error instanceof NoResult)) throw error;
      this.explainFailure(error);
    } finally {
      clearTimeout(patience);
      for (const bench of this.benches) bench.busy(false);
    }
  }

  /**
   * @param {"run" | "check"} what
   * @param {Result} result
   */
  show(what, { trace, cases }) {
    this.output.finish(trace);
    if (trace) {
      this.output.say(what === "run" ? "The code stopped with an error." : "The code stopped with an error before it could be checked.");
    } else if (what === "run") {
      this.output.say(this.output.text.hidden ? "Finished. The code printed nothing." : "Finished.");
    } else {
      const right = cases.filter((outcome) => outcome.message === "").length;
      this.output.say(`${right} of ${cases.length} public checks pass.`);
      this.output.showCases(cases, this.challenge.cases);
    }
  }

  /** @param {NoResult} error */
  explainFailure({ reason, message }) {
    if (reason === "stopped") {
      this.output.say("Stopped. The next Run starts Python anew.");
    } else if (reason === "crashed") {
      this.output.say("Python itself gave up, as with a recursion without end or too little memory. The next Run starts it anew.");
    } else {
      this.output.say("Python could not be loaded here.");
      const file = location.protocol === "file:" && this.python.base.startsWith("file:");
      this.output.note(
        file
          ? "This page was opened as a file, and a browser lets no such page read the folder beside it. Serve the folder instead: python -m http.server. Or use the notebook "
          : "Your code is kept. Try again when you are online, or use the notebook ",
        make("a", { href: this.notebook }, this.notebook),
        ": it has the same challenges and checks.",
      );
      this.output.note(make("small", {}, `${this.python.base}: ${message.split("\n")[0]}`));
    }
  }

  /**
   * @param {boolean} busy
   * @param {boolean} [here] this challenge is the one that runs
   */
  busy(busy, here = false) {
    for (const button of [this.run, this.check, this.reset]) {
      button.setAttribute("aria-disabled", String(busy));
    }
    this.stop.setAttribute("aria-disabled", String(!(busy && here)));
  }
}

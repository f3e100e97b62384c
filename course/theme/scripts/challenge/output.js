/** What one run or check shows: a status line, printed text, the error, the list of cases. */

import { make } from "../shared/dom.js";
import { explain } from "./explain.js";

/** @typedef {import("../shared/lesson.js").Case} Case */
/** @typedef {import("./python.js").Outcome} Outcome */

export class Output {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.status = make("p", { class: "run-status", role: "status" });
    this.text = make("pre", { class: "printed", "aria-label": "Output", hidden: true });
    this.rest = make("div");
    this.warnings = "";
    place.append(this.status, this.text, this.rest);
  }

  clear() {
    this.text.replaceChildren();
    this.text.hidden = true;
    this.rest.replaceChildren();
    this.warnings = "";
  }

  /**
   * @param {string} stream
   * @param {string} text
   */
  write(stream, text) {
    if (stream === "err") this.warnings += text.slice(0, 10_000);
    this.text.append(stream === "out" ? text : make("span", { class: `stream-${stream}` }, text));
    this.text.hidden = false;
  }

  /** @param {string} text */
  say(text) {
    this.status.textContent = text;
  }

  /** @param {string} trace what ended the code; a plain sentence goes below it */
  finish(trace) {
    if (trace) this.write("trace", trace);
    const sentence = explain(trace || this.warnings);
    if (sentence) this.rest.append(plain(sentence));
  }

  /**
   * @param {Outcome[]} outcomes
   * @param {Case[]} cases
   */
  showCases(outcomes, cases) {
    this.rest.append(
      make("ul", { class: "checks" }, ...outcomes.map((outcome) => caseItem(outcome, cases))),
    );
  }

  /** @param {...(Node | string)} nodes */
  note(...nodes) {
    this.rest.append(make("p", { class: "run-note" }, ...nodes));
  }
}

/**
 * @param {Outcome} outcome
 * @param {Case[]} cases
 */
function caseItem(outcome, cases) {
  const known = cases.find((item) => item.id === outcome.name);
  const right = outcome.message === "";
  const title = make("span", { class: "check-title" });
  title.innerHTML = known?.title ?? outcome.name;
  const item = make(
    "li",
    { class: right ? "right" : "wrong" },
    make("span", { class: "check-verdict" }, right ? "Pass" : "Not yet"),
    title,
  );
  if (right) return item;
  item.append(make("p", { class: "check-message" }, outcome.message));
  const sentence = explain(outcome.trace || outcome.message);
  if (sentence) item.append(plain(sentence));
  if (outcome.trace) {
    item.append(
      make("details", {}, make("summary", {}, "Where it happened"), make("pre", {}, outcome.trace)),
    );
  }
  if (known?.hint && outcome.trace) { // the tests' own words carry the hint already
    const hint = make("p", { class: "check-hint" });
    hint.innerHTML = known.hint;
    item.append(hint);
  }
  return item;
}

/** @param {string} sentence */
const plain = (sentence) => make("p", { class: "plain-words" }, sentence);

/** The explorer of the lesson: state in, tables out; the address keeps the state. */

import { currentAddress, replaceAddress } from "../../shared/address.js";
import { findAll, keepFocus, make } from "../../shared/dom.js";
import { attend } from "./attention.js";
import { controls } from "./controls.js";
import { soundState, stateQuery } from "./state.js";
import { headTables, outputTable } from "./tables.js";
import { walkthrough } from "./walkthrough.js";
import { change as changeText, summary } from "./words.js";

/** @typedef {import("./state.js").State} State */

export function start() {
  for (const link of findAll(document, "a.explorer-link", HTMLAnchorElement)) {
    link.hash += `?${stateQuery(givenState(link))}`;
  }
  for (const block of findAll(document, ".explorer[data-call=colour_attention]", HTMLDivElement)) new Explorer(block);
}

/** @param {HTMLElement} element its `data-state` comes from the lesson's YAML */
function givenState(element) {
  return soundState(JSON.parse(element.dataset["state"] ?? "{}"));
}

class Explorer {
  /** @param {HTMLDivElement} block */
  constructor(block) {
    this.section = block.closest("section")?.id ?? "";
    this.first = givenState(block);
    /** @type {State} */
    this.state = this.first;
    this.controls = make("div");
    this.live = make("p", { class: "live", role: "status" });
    this.heads = make("div", { class: "head-list" });
    this.walk = make("div");
    this.output = make("div");
    const place = block.querySelector(".explorer-static");
    const parts = [this.controls, this.live, this.heads, this.output, this.walk];
    if (place) place.replaceWith(...parts);
    else block.append(...parts);
    addEventListener("hashchange", () => this.followAddress());
    this.followAddress();
    this.render("");
  }

  /** Take the state out of the address, where it has one for this section. */
  followAddress() {
    const { id, state } = currentAddress();
    if (id !== this.section || !state.has("tokens")) return;
    this.show(soundState(Object.fromEntries(state)));
  }

  /** @param {Partial<State>} change */
  change(change) {
    this.show(soundState({ ...this.state, ...change }));
    replaceAddress(this.section, stateQuery(this.state));
  }

  /** @param {State} next */
  show(next) {
    const text = changeText(this.state, next);
    this.state = next;
    keepFocus(() => this.render(text));
  }

  /** @param {string} news what has changed, for the live line */
  render(news) {
    const { state } = this;
    const { heads, output } = attend(state);
    this.controls.replaceChildren(
      controls(
        state,
        (change) => this.change(change),
        () => this.change(this.first),
      ),
    );
    this.live.textContent = [news, summary(state)].filter(Boolean).join(" ");
    this.heads.replaceChildren(
      ...heads.map((head, index) =>
        make(
          "section",
          { class: "head", "aria-labelledby": `head-${index}` },
          make("h4", { id: `head-${index}` }, headTitle(state, index)),
          headTables(head, index, state, (row) => this.change({ row, head: index })),
        ),
      ),
    );
    for (const [index, head] of [...this.heads.children].entries()) {
      for (const row of findAll(head, "tbody tr", HTMLTableRowElement)) {
        const chosen = index === state.head && Number(row.dataset["row"]) === state.row;
        row.classList.toggle("chosen", chosen);
      }
    }
    this.output.replaceChildren(...(state.heads > 1 ? [outputTable(output, state)] : []));
    this.walk.replaceChildren(walkthrough(heads[state.head], state));
  }
}

/**
 * @param {State} state
 * @param {number} index
 */
function headTitle(state, index) {
  if (state.heads === 1) return "The one head, coordinates 1 to 4";
  const width = 4 / state.heads;
  const first = index * width + 1;
  const range = width === 1 ? `coordinate ${first}` : `coordinates ${first} and ${first + width - 1}`;
  return `Head ${index + 1}, ${range}`;
}

/** What sets the explorer's state: the sequence, the number of heads, the two boxes, reset. */

import { make } from "../../shared/dom.js";
import { COLOURS } from "./attention.js";
import { HEAD_COUNTS, MOST_TOKENS } from "./state.js";
import { sign } from "./tables.js";

/** @typedef {import("./attention.js").Colour} Colour */
/** @typedef {import("./state.js").State} State */
/** @typedef {(change: Partial<State>) => void} Change */

/**
 * @param {State} state
 * @param {Change} change
 * @param {() => void} reset
 */
export function controls(state, change, reset) {
  return make(
    "div",
    { class: "controls" },
    sequence(state, change),
    headChoice(state, change),
    make(
      "fieldset",
      { class: "boxes" },
      make("legend", {}, "Options"),
      box("causal", "Block future tokens", state.causal, (causal) => change({ causal })),
      box("positions", "Add positional encoding", state.positions, (positions) => change({ positions })),
    ),
    make("button", { type: "button", id: "explorer-reset", class: "quiet", onclick: reset }, "Reset"),
  );
}

/**
 * @param {State} state
 * @param {Change} change
 */
function sequence(state, change) {
  const { tokens } = state;
  const last = tokens.length - 1;
  return make(
    "fieldset",
    { class: "sequence" },
    make("legend", {}, "Sequence"),
    ...tokens.map((colour, place) => tokenChoice(colour, place, tokens, change)),
    make(
      "span",
      { class: "sequence-buttons" },
      make(
        "button",
        {
          type: "button",
          id: "token-remove",
          "aria-label": "Remove the last token",
          "aria-disabled": String(last === 0),
          onclick: () => last > 0 && change({ tokens: tokens.slice(0, last) }),
        },
        "−",
      ),
      make(
        "button",
        {
          type: "button",
          id: "token-add",
          "aria-label": "Add a token",
          "aria-disabled": String(tokens.length === MOST_TOKENS),
          onclick: () =>
            tokens.length < MOST_TOKENS &&
            change({ tokens: [...tokens, tokens[last] === "red" ? "blue" : "red"] }),
        },
        "+",
      ),
    ),
  );
}

/**
 * @param {Colour} colour
 * @param {number} place
 * @param {Colour[]} tokens
 * @param {Change} change
 */
function tokenChoice(colour, place, tokens, change) {
  const select = make(
    "select",
    { id: `token-${place}`, "aria-label": `Token ${place + 1}` },
    ...COLOURS.map((name) => make("option", { value: name, selected: name === colour }, name)),
  );
  select.addEventListener("change", () => {
    const chosen = COLOURS.find((name) => name === select.value) ?? colour;
    change({ tokens: tokens.map((token, index) => (index === place ? chosen : token)) });
  });
  return make("span", { class: "token-choice" }, sign(colour), select);
}

/**
 * @param {State} state
 * @param {Change} change
 */
function headChoice(state, change) {
  return make(
    "fieldset",
    { class: "heads" },
    make("legend", {}, "Heads"),
    ...HEAD_COUNTS.map((count) =>
      make(
        "label",
        { class: "segment" },
        make("input", {
          type: "radio",
          name: "explorer-heads",
          id: `heads-${count}`,
          value: count,
          checked: state.heads === count,
          onchange: () => change({ heads: count }),
        }),
        make("span", {}, String(count)),
      ),
    ),
  );
}

/**
 * @param {string} name
 * @param {string} text
 * @param {boolean} checked
 * @param {(checked: boolean) => void} set
 */
function box(name, text, checked, set) {
  const input = make("input", { type: "checkbox", id: `explorer-${name}`, checked });
  input.addEventListener("change", () => set(input.checked));
  return make("label", { class: "box" }, input, make("span", {}, text));
}

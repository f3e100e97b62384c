/** The tables of one head, and small pieces that stand for a token. */

import { make } from "../../shared/dom.js";
import { COLOURS, WIDTH } from "./attention.js";
import { aligned, figure } from "./words.js";

/** @typedef {import("./attention.js").Colour} Colour */
/** @typedef {import("./attention.js").Head} Head */
/** @typedef {import("./attention.js").Matrix} Matrix */
/** @typedef {import("./state.js").State} State */
/** @typedef {{caption: string, className?: string, columns: Node[], cells: Node[][]}} Content */

/**
 * A token as its place, a sign whose shape and colour tell which it is, and its name.
 * @param {Colour} colour
 * @param {number} place from 0
 * @param {boolean} [short] the name is there for screen readers only
 */
export function token(colour, place, short = false) {
  return make(
    "span",
    { class: "token" },
    make("span", { class: "token-place" }, String(place + 1)),
    sign(colour),
    make("span", { class: short ? "unseen" : "token-name" }, ` ${colour}`),
  );
}

/** @param {Colour} colour */
export function sign(colour) {
  return make("span", { class: `sign sign-${colour}`, "aria-hidden": "true" });
}

/**
 * All tables of one head, in the order of the calculation.
 * @param {Head} head
 * @param {number} index
 * @param {State} state
 * @param {(row: number) => void} choose
 */
export function headTables(head, index, state, choose) {
  const width = WIDTH / state.heads;
  const coordinates = COLOURS.slice(index * width, (index + 1) * width);
  const tokens = () => state.tokens.map((colour, place) => token(colour, place, true));
  const names = () =>
    coordinates.map((colour) =>
      make("span", { class: "token" }, sign(colour), make("span", { class: "unseen" }, colour)),
    );
  const root = `√${width}`;
  return make(
    "div",
    { class: "flow" },
    matrix(state, { caption: "Query = key = value", columns: names(), cells: numbers(head.vectors) }),
    matrix(state, { caption: "Raw scores: query · key", columns: tokens(), cells: numbers(head.raw) }),
    matrix(state, { caption: `Scaled: ÷ ${root}`, columns: tokens(), cells: numbers(head.scaled) }),
    shares(head, index, state, tokens(), choose),
    matrix(state, { caption: "Result: shares × values", columns: names(), cells: numbers(head.result) }),
  );
}

/**
 * The results of all heads side by side, one row a token.
 * @param {Matrix} output
 * @param {State} state
 */
export function outputTable(output, state) {
  const columns = COLOURS.map((colour) =>
    make("span", { class: "token" }, sign(colour), make("span", { class: "token-name" }, colour)),
  );
  return matrix(state, {
    caption: "Output: the results of all heads side by side",
    className: "output",
    columns,
    cells: numbers(output),
  });
}

/**
 * @param {Head} head
 * @param {number} index
 * @param {State} state
 * @param {Node[]} columns
 * @param {(row: number) => void} choose
 */
function shares(head, index, state, columns, choose) {
  const table = matrix(
    state,
    { caption: "Shares: softmax of each row", className: "heat", columns, cells: numbers(head.shares) },
    (row) =>
      make(
        "button",
        {
          type: "button",
          id: `row-${index}-${row}`,
          class: "row-choice",
          "aria-pressed": String(state.head === index && state.row === row),
          "aria-label": `Walk through row ${row + 1}, ${state.tokens[row]}, of head ${index + 1}`,
          onclick: () => choose(row),
        },
        token(state.tokens[row], row),
      ),
  );
  const body = table.querySelectorAll("tbody tr");
  head.shares.forEach((row, reader) => {
    const cells = body[reader].querySelectorAll("td");
    row.forEach((share, read) => {
      cells[read].style.setProperty("--share", share.toFixed(4));
      if (head.scaled[reader][read] === -Infinity) cells[read].classList.add("blocked");
    });
  });
  const totals = state.tokens.map((_, column) =>
    head.shares.reduce((sum, row) => sum + row[column], 0),
  );
  table.querySelector("table")?.append(
    make(
      "tfoot",
      {},
      make(
        "tr",
        {},
        make("th", { scope: "row" }, "column totals"),
        ...totals.map((total) => make("td", {}, figure(total))),
      ),
    ),
  );
  return table;
}

/**
 * @param {Matrix} matrix
 * @returns {Node[][]}
 */
function numbers(matrix) {
  return aligned(matrix).map((row) => row.map((text) => document.createTextNode(text)));
}

/**
 * A table with one row a token, in a frame of its own that scrolls when it has to.
 * @param {State} state
 * @param {Content} content
 * @param {(row: number) => Node} [label]
 */
function matrix(state, content, label = (row) => token(state.tokens[row], row)) {
  const table = make(
    "table",
    { class: `matrix ${content.className ?? ""}`.trim() },
    make("caption", {}, content.caption),
    make(
      "thead",
      {},
      make("tr", {}, make("td"), ...content.columns.map((node) => make("th", { scope: "col" }, node))),
    ),
    make(
      "tbody",
      {},
      ...content.cells.map((cells, row) =>
        make(
          "tr",
          { "data-row": row },
          make("th", { scope: "row" }, label(row)),
          ...cells.map((cell) => make("td", {}, cell)),
        ),
      ),
    ),
  );
  return make("div", { class: "table-frame" }, table);
}

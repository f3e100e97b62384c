/** One row of one head, step by step: compare, scale, shares, combine. */

import { make } from "../../shared/dom.js";
import { token } from "./tables.js";
import { figure, vector } from "./words.js";

/** @typedef {import("./attention.js").Head} Head */
/** @typedef {import("./state.js").State} State */

/**
 * @param {Head} head
 * @param {State} state
 */
export function walkthrough(head, state) {
  const { row, tokens } = state;
  const query = head.vectors[row];
  const width = query.length;
  const scaled = head.scaled[row];
  const blocked = scaled.map((score) => score === -Infinity);
  const powers = scaled.map(Math.exp);
  const total = powers.reduce((sum, power) => sum + power, 0);
  const shares = head.shares[row];
  const result = head.result[row];

  /** @param {(read: number) => string | (string | Node)[]} text */
  const lines = (text) =>
    make(
      "ul",
      { class: "sums" },
      ...tokens.map((colour, read) =>
        make("li", {}, token(colour, read), make("span", {}, ...text(read))),
      ),
    );

  return make(
    "div",
    { class: "walkthrough" },
    make(
      "h4",
      {},
      `Token ${row + 1}, ${tokens[row]}, reads${state.heads > 1 ? ` with head ${state.head + 1}` : ""}`,
    ),
    make(
      "ol",
      {},
      step(
        "Compare",
        `Its query is ${vector(query)}. The raw score is the dot product with each key.`,
        lines((read) => `${products(query, head.vectors[read])} = ${figure(head.raw[row][read])}`),
      ),
      step(
        "Scale",
        `Each score is divided by √${width}${Number.isInteger(Math.sqrt(width)) ? ` = ${Math.sqrt(width)}` : ` ≈ ${figure(Math.sqrt(width))}`}.` +
          (blocked.includes(true) ? " Later tokens are blocked: −∞ takes the place of their score." : ""),
        lines((read) =>
          blocked[read]
            ? "blocked: −∞"
            : `${figure(head.raw[row][read])} ÷ √${width} = ${figure(scaled[read])}`,
        ),
      ),
      step(
        "Turn into shares",
        `e to each score; together they make ${figure(total)}. Each is divided by that total.`,
        lines((read) =>
          blocked[read]
            ? [power("−∞"), ` = 0; 0 ÷ ${figure(total)} = 0`]
            : [
                power(figure(scaled[read])),
                ` = ${figure(powers[read])}; ÷ ${figure(total)} = ${figure(shares[read])}`,
              ],
        ),
      ),
      step(
        "Combine",
        "Share times value, all added up.",
        lines((read) => `${figure(shares[read])} × ${vector(head.vectors[read])}`),
        make("p", { class: "sum-total" }, make("span", {}, "Result"), ` ${vector(result)}`),
      ),
    ),
  );
}

/** @param {string} exponent */
const power = (exponent) => make("span", {}, "e", make("sup", {}, exponent));

/**
 * @param {number[]} left
 * @param {number[]} right
 */
function products(left, right) {
  return left.map((number, index) => `${figure(number)}·${figure(right[index])}`).join(" + ");
}

/**
 * @param {string} title
 * @param {string} text
 * @param {...Node} rest
 */
function step(title, text, ...rest) {
  return make("li", {}, make("h5", {}, title), make("p", {}, text), ...rest);
}

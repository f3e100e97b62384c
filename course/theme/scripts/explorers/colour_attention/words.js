/** How the explorer writes numbers, tokens and what has changed. */

import { WIDTH } from "./attention.js";

/** @typedef {import("./state.js").State} State */

const MINUS = "\u2212";

/**
 * A number as the lesson's prose shows it: rounded to four places, without trailing zeros.
 * @param {number} number
 * @param {number} [decimals]
 */
export function figure(number, decimals = 4) {
  if (!Number.isFinite(number)) return number < 0 ? `${MINUS}∞` : "∞";
  const text = String(Number(number.toFixed(decimals)));
  return text === "-0" ? "0" : text.replace("-", MINUS);
}

/**
 * All numbers of a table with the same number of places, as many as one of them needs.
 * @param {number[][]} matrix
 * @returns {string[][]}
 */
export function aligned(matrix) {
  const needed = matrix
    .flat()
    .filter(Number.isFinite)
    .map((number) => (figure(number).split(".")[1] ?? "").length);
  const decimals = Math.max(0, ...needed);
  return matrix.map((row) =>
    row.map((number) => {
      if (!Number.isFinite(number)) return figure(number);
      const text = number.toFixed(decimals);
      return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", MINUS);
    }),
  );
}

/** @param {number[]} numbers */
export function vector(numbers) {
  return `[${numbers.map((number) => figure(number)).join(", ")}]`;
}

/**
 * @param {State} state
 * @returns {string}
 */
export function summary(state) {
  const count = state.tokens.length;
  const width = WIDTH / state.heads;
  const tokens = `${count} ${count === 1 ? "token" : "tokens"}: ${state.tokens.join(", ")}`;
  const heads =
    state.heads === 1 ? `one head of width ${width}` : `${state.heads} heads of width ${width}`;
  const mask = state.causal ? ", future tokens blocked" : "";
  const order = state.positions ? ", positions added" : "";
  const shares = count * count;
  return `${tokens}; ${heads}${mask}${order}. ${shares} ${shares === 1 ? "share" : "shares"} a head.`;
}

/**
 * What is different from one state to the next, in a sentence for the live line.
 * @param {State} before
 * @param {State} after
 */
export function change(before, after) {
  if (before.heads !== after.heads) return `Heads: ${after.heads}.`;
  if (before.causal !== after.causal) {
    return after.causal ? "Future tokens are now blocked." : "Future tokens can be read again.";
  }
  if (before.positions !== after.positions) {
    return after.positions ? "Positional encoding added." : "Positional encoding taken away.";
  }
  if (after.tokens.length > before.tokens.length) {
    return `Token ${after.tokens.length} added: ${after.tokens.at(-1)}.`;
  }
  if (after.tokens.length < before.tokens.length) return "Last token removed.";
  const place = after.tokens.findIndex((token, index) => token !== before.tokens[index]);
  if (place >= 0) return `Token ${place + 1} is now ${after.tokens[place]}.`;
  if (before.row !== after.row || before.head !== after.head) {
    return `Below: how token ${after.row + 1}, ${after.tokens[after.row]}, reads.`;
  }
  return "";
}

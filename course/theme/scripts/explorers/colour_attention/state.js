/** The explorer's state: what is calculated and which row is looked at, as text and back. */

import { COLOURS } from "./attention.js";

/** @typedef {import("./attention.js").Settings} Settings */
/** @typedef {import("./attention.js").Colour} Colour */
/** @typedef {Settings & {row: number, head: number}} State row and head count from 0 */

export const MOST_TOKENS = 6;
export const HEAD_COUNTS = [1, 2, 4];

/** @type {State} */
export const START = {
  tokens: ["red", "blue", "red"],
  heads: 1,
  causal: false,
  positions: false,
  row: 0,
  head: 0,
};

/**
 * A sound state from any named values (an address, or YAML): what is missing or makes no sense
 * is taken from `base`.
 * @param {Record<string, unknown>} given
 * @param {State} [base]
 * @returns {State}
 */
export function soundState(given, base = START) {
  const tokens = colours(given["tokens"]) ?? base.tokens;
  const heads = HEAD_COUNTS.find((count) => count === Number(given["heads"])) ?? base.heads;
  return {
    tokens,
    heads,
    causal: flag(given["causal"], base.causal),
    positions: flag(given["positions"], base.positions),
    row: within(given["row"] ?? base.row, tokens.length),
    head: within(given["head"] ?? base.head, heads),
  };
}

/**
 * The state as the part of the address after `?`; what is as in `START` but the tokens is left out.
 * @param {State} state
 */
export function stateQuery(state) {
  const parts = [`tokens=${state.tokens.join(",")}`];
  if (state.heads !== START.heads) parts.push(`heads=${state.heads}`);
  if (state.causal) parts.push("causal=1");
  if (state.positions) parts.push("positions=1");
  if (state.row !== START.row) parts.push(`row=${state.row}`);
  if (state.head !== START.head) parts.push(`head=${state.head}`);
  return parts.join("&");
}

/**
 * @param {unknown} given
 * @returns {Colour[] | null}
 */
function colours(given) {
  const names = typeof given === "string" ? given.split(",") : Array.isArray(given) ? given : [];
  const known = names.map((name) => COLOURS.find((colour) => colour === String(name).trim()));
  const sound = known.filter((colour) => colour !== undefined).slice(0, MOST_TOKENS);
  return sound.length > 0 ? sound : null;
}

/**
 * @param {unknown} given
 * @param {boolean} otherwise
 */
function flag(given, otherwise) {
  if (given === undefined || given === null) return otherwise;
  return given === true || given === "1" || given === "true";
}

/**
 * @param {unknown} given
 * @param {number} count
 */
function within(given, count) {
  const number = Math.trunc(Number(given)) || 0;
  return Math.min(Math.max(number, 0), count - 1);
}

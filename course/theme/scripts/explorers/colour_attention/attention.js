/** The explorer's arithmetic: attention with identity projections, as plain numbers. */

/** @typedef {number[][]} Matrix one row a token */
/** @typedef {"red" | "blue" | "green" | "yellow"} Colour */
/**
 * @typedef {object} Settings
 * @property {Colour[]} tokens
 * @property {number} heads
 * @property {boolean} causal later tokens are blocked
 * @property {boolean} positions the positional encoding is added
 */
/**
 * @typedef {object} Head
 * @property {Matrix} vectors (n, d) query, key and value alike: identities leave all three equal
 * @property {Matrix} raw (n, n)
 * @property {Matrix} scaled (n, n), −∞ where blocked
 * @property {Matrix} shares (n, n)
 * @property {Matrix} result (n, d)
 */
/** @typedef {{inputs: Matrix, heads: Head[], output: Matrix}} Attention */

export const WIDTH = 4;

/** @type {Colour[]} A colour's place here is its one coordinate that is 1. */
export const COLOURS = ["red", "blue", "green", "yellow"];

/**
 * @param {Settings} settings
 * @returns {Attention}
 */
export function attend(settings) {
  const inputs = inputVectors(settings.tokens, settings.positions);
  const width = WIDTH / settings.heads;
  const heads = Array.from({ length: settings.heads }, (_, head) =>
    attendHead(
      inputs.map((row) => row.slice(head * width, (head + 1) * width)),
      settings.causal,
    ),
  );
  const output = inputs.map((_, row) => heads.flatMap((head) => head.result[row]));
  return { inputs, heads, output };
}

/**
 * @param {Colour[]} tokens
 * @param {boolean} positions
 * @returns {Matrix}
 */
function inputVectors(tokens, positions) {
  return tokens.map((token, position) => {
    const encoding = [
      Math.sin(position),
      Math.cos(position),
      Math.sin(position / 100),
      Math.cos(position / 100),
    ];
    return COLOURS.map(
      (colour, index) => (colour === token ? 1 : 0) + (positions ? encoding[index] : 0),
    );
  });
}

/**
 * @param {Matrix} vectors
 * @param {boolean} causal
 * @returns {Head}
 */
function attendHead(vectors, causal) {
  const root = Math.sqrt(vectors[0].length);
  const raw = vectors.map((query) => vectors.map((key) => dot(query, key)));
  const scaled = raw.map((row, reader) =>
    row.map((score, read) => (causal && read > reader ? -Infinity : score / root)),
  );
  const shares = scaled.map(softmax);
  const result = shares.map((row) =>
    vectors[0].map((_, column) =>
      dot(
        row,
        vectors.map((value) => value[column]),
      ),
    ),
  );
  return { vectors, raw, scaled, shares, result };
}

/**
 * Shares of one row; its largest score is taken off first, so that no power overflows.
 * @param {number[]} scores
 * @returns {number[]}
 */
export function softmax(scores) {
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/**
 * @param {number[]} left
 * @param {number[]} right
 */
function dot(left, right) {
  return left.reduce((sum, number, index) => sum + number * right[index], 0);
}

/** A plain sentence for the errors and warnings that NumPy beginners meet most. */

/** @type {[RegExp, string | ((match: RegExpExecArray) => string)][]} first match wins */
const SENTENCES = [
  [
    /matmul: .*size (\d+) is different from (\d+)/,
    ([, second, first]) =>
      `In a matrix product the rows of the first array and the columns of the second must be equally long; here they have ${first} and ${second} entries. Print both shapes; a transpose (.T) may be missing.`,
  ],
  [
    /shapes (\([\d, ]*\)) and (\([\d, ]*\)) not aligned/,
    ([, first, second]) =>
      `A product of arrays of shapes ${first} and ${second} is not possible: the last number of the first must equal the first number of the second. A transpose (.T) may be missing.`,
  ],
  [
    /operands could not be broadcast together with shapes (\([\d, ]*\)) (\([\d, ]*\))/,
    ([, first, second]) =>
      `Entry by entry, shapes ${first} and ${second} do not fit: read from the right, each pair of numbers must be equal or one of them 1. For one number a row, keep the column with keepdims=True.`,
  ],
  [
    /could not broadcast input array from shape (\([\d, ]*\)) into shape (\([\d, ]*\))/,
    ([, from, into]) => `An array of shape ${from} does not fit into a place of shape ${into}.`,
  ],
  [
    /cannot convert float infinity to integer|cannot convert float NaN to integer/,
    "An array of whole numbers cannot hold −∞, or a share. Make it an array of floats first: .astype(float).",
  ],
  [
    /Cannot cast ufunc '\w+' output from dtype\('float64'\) to dtype\('int/,
    "An array of whole numbers cannot hold a share: /= and friends keep its type. Make it an array of floats first: .astype(float), or write a = a / b.",
  ],
  [
    /NameError: name '(\w+)' is not defined\. Did you mean: '(\w+)'/,
    ([, wrong, right]) => `Python knows no ${wrong} here. It does know ${right}: a slip of the pen?`,
  ],
  [
    /NameError: name '(\w+)' is not defined/,
    ([, name]) =>
      `Python knows no ${name} here. Is it spelt as where it was defined, and did that line run before?`,
  ],
  [
    /AttributeError: module 'numpy' has no attribute '(\w+)'/,
    ([, name]) => `NumPy has nothing called ${name}. Is it spelt rightly?`,
  ],
  [
    /AttributeError: 'numpy\.ndarray' object has no attribute '(\w+)'/,
    ([, name]) => `An array has no ${name}. It may be a function of NumPy instead: np.${name}(…).`,
  ],
  [
    /invalid value encountered in (?:scalar )?subtract/,
    "Somewhere −∞ was taken from −∞, which is no number (nan). Take off the largest score of a row, which is finite, not a column's or a blocked one.",
  ],
  [
    /invalid value encountered in (?:scalar |true_)?divide/,
    "Somewhere 0 was divided by 0, or ∞ by ∞, which is no number (nan). Did a row of powers total zero or overflow?",
  ],
  [
    /overflow encountered in exp/,
    "e to a large score is too large for a float. Take the largest score of each row off first: the shares stay the same.",
  ],
  [
    /EOFError: EOF when reading a line/,
    "input() waits for someone to type, and here nobody can. Write the value into the code.",
  ],
  [
    /RecursionError/,
    "A function calls itself without an end.",
  ],
  [
    /TypeError: 'NoneType' object|unsupported operand type\(s\) for .*'NoneType'/,
    "Something is None here. A function without a return gives None: is a return missing?",
  ],
  [
    /TypeError: (\w+)\(\) (?:missing|takes) /,
    ([, name]) => `${name} was called with too few or too many arguments. Compare the call with its def line.`,
  ],
  [
    /IndexError: index (-?\d+) is out of bounds for axis (\d+) with size (\d+)/,
    ([, index, axis, size]) =>
      `Axis ${axis} has ${size} entries, numbered from 0 to ${Number(size) - 1}; ${index} is not one of them.`,
  ],
  [
    /The truth value of an array with more than one element is ambiguous/,
    "if needs one True or False, but a comparison of arrays gives one for each entry. Use np.where, or .any() or .all().",
  ],
  [
    /(?:IndentationError|TabError)/,
    "The lines of a block must begin at the same column. Four spaces a step is the custom.",
  ],
  [
    /cannot reshape array of size (\d+) into shape (\([\d, ]*\))/,
    ([, size, shape]) => `${size} entries do not fill the shape ${shape}: its numbers must multiply to ${size}.`,
  ],
  [
    /ModuleNotFoundError: No module named '([\w.]+)'/,
    ([, name]) => `${name} is not here. The challenges need NumPy only.`,
  ],
];

/**
 * @param {string} text a traceback, or a warning
 * @returns {string} a sentence, or nothing
 */
export function explain(text) {
  for (const [pattern, sentence] of SENTENCES) {
    const match = pattern.exec(text);
    if (match) return typeof sentence === "string" ? sentence : sentence(match);
  }
  return "";
}

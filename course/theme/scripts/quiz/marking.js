/** Is an answer right, and what is said to it: no page, only data. */

/** @typedef {import("../shared/lesson.js").Question} Question */
/** @typedef {number[] | string} Answer places of the choices taken, or the number as typed */
/** @typedef {{right: boolean, replies: string[], nudge: string}} Reply replies are HTML */

/**
 * @param {Question} question
 * @param {Answer} answer
 * @returns {Reply}
 */
export function mark(question, answer) {
  if (question.kind === "number") return markNumber(question, String(answer));
  const taken = Array.isArray(answer) ? answer : [];
  const choices = question.choices ?? [];
  const missed = choices.filter((choice, index) => choice.right && !taken.includes(index)).length;
  const wrong = taken.filter((index) => !choices[index]?.right).length;
  const several = question.kind === "several-choices";
  return {
    right: missed === 0 && wrong === 0,
    replies: taken.map((index) => choices[index]?.reply ?? ""),
    nudge: several && wrong === 0 && missed > 0 ? stillMissing(missed) : "",
  };
}

/** @param {number} count */
function stillMissing(count) {
  return count === 1 ? "One more choice is right." : `${count} more choices are right.`;
}

/**
 * @param {Question} question
 * @param {string} text
 * @returns {Reply}
 */
function markNumber(question, text) {
  const number = readNumber(text);
  if (number === null) {
    return { right: false, replies: [], nudge: "Write one number, such as 0.25 or 1/4." };
  }
  const near = (/** @type {number} */ value) =>
    Math.abs(number - value) <= (question.tolerance ?? 0) + 1e-12;
  if (near(question.answer ?? NaN)) {
    return { right: true, replies: [question.rightReply ?? ""], nudge: "" };
  }
  const known = question.knownWrong?.find((wrong) => near(wrong.value));
  return { right: false, replies: [known?.reply ?? question.wrongReply ?? ""], nudge: "" };
}

/**
 * A number as people write it: 0.25, 0,25, .25, 1/4, 25 %, with any minus sign.
 * @param {string} text
 * @returns {number | null}
 */
export function readNumber(text) {
  const plain = text.trim().replace(/[\u2212\u2013]/g, "-").replace(",", ".");
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(%|\/\s*(\d+(?:\.\d+)?))?$/i.exec(plain);
  if (!match) return null;
  const [, number, part, divisor] = match;
  if (divisor !== undefined) return Number(divisor) === 0 ? null : Number(number) / Number(divisor);
  return part === "%" ? Number(number) / 100 : Number(number);
}

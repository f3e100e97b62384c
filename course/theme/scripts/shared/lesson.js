/** What the build says about the lesson, from the JSON that stands in the page. */

/**
 * @typedef {object} Choice
 * @property {boolean} right
 * @property {string} reply HTML
 */
/**
 * @typedef {object} Question `choices` or the keys of a number; neither when the lesson is graded
 * @property {string} id
 * @property {string} kind
 * @property {Choice[]} [choices]
 * @property {number} [answer]
 * @property {number} [tolerance]
 * @property {string} [rightReply] HTML
 * @property {string} [wrongReply] HTML
 * @property {{value: number, reply: string}[]} [knownWrong]
 */
/**
 * @typedef {object} Case
 * @property {string} id
 * @property {string} title HTML
 * @property {string} hint HTML
 */
/**
 * @typedef {object} Challenge
 * @property {string} id
 * @property {string} title
 * @property {string[]} functions
 * @property {string} starter
 * @property {string} test the text of the students' otter test file
 * @property {Case[]} cases the public ones, in the order of the test file
 */
/**
 * @typedef {object} Lesson
 * @property {string} title
 * @property {string} file what students hand in
 * @property {boolean} graded
 * @property {string} pythonRuntime
 * @property {Question[]} questions
 * @property {Challenge[]} challenges
 */

/** @returns {Lesson} */
export function readLesson() {
  return JSON.parse(document.getElementById("lesson-data")?.textContent ?? "{}");
}

/** The questions of the page: reply at once, try again, remembered on the device. */

import { download, find, findAll, make } from "../shared/dom.js";
import { readLesson } from "../shared/lesson.js";
import { forget, recall, remember } from "../shared/memory.js";
import { mark } from "./marking.js";

/** @typedef {import("../shared/lesson.js").Question} Question */
/** @typedef {import("./marking.js").Answer} Answer */
/** @typedef {"right" | "wrong" | "saved" | "open"} Standing */

export function start() {
  const lesson = readLesson();
  for (const quiz of findAll(document, ".quiz", HTMLElement)) {
    new Group(quiz, lesson.questions, lesson.graded);
  }
  if (lesson.graded) offerAnswers(lesson.questions);
}

class Group {
  /**
   * @param {HTMLElement} quiz
   * @param {Question[]} questions
   * @param {boolean} graded
   */
  constructor(quiz, questions, graded) {
    this.graded = graded;
    this.text = make("p", { class: "quiz-progress-text" });
    this.pips = make("span", { class: "pips", "aria-hidden": "true" });
    /** @type {Item[]} */
    this.items = [];
    this.items = findAll(quiz, "form.question", HTMLFormElement).flatMap((form) => {
      const question = questions.find((item) => `question-${item.id}` === form.id);
      return question ? [new Item(form, question, graded, () => this.show())] : [];
    });
    const title = quiz.querySelector("h3");
    title?.after(make("div", { class: "quiz-progress" }, this.pips, this.text));
    this.show();
  }

  show() {
    const standings = this.items.map((item) => item.standing);
    this.pips.replaceChildren(...standings.map((standing) => make("span", { class: `pip ${standing}` })));
    const done = standings.filter((standing) => standing === "right" || standing === "saved").length;
    const word = this.graded ? "saved" : "answered rightly";
    this.text.textContent = `${done} of ${standings.length} ${word}`;
  }
}

class Item {
  /**
   * @param {HTMLFormElement} form
   * @param {Question} question
   * @param {boolean} graded
   * @param {() => void} changed
   */
  constructor(form, question, graded, changed) {
    this.form = form;
    this.question = question;
    this.graded = graded;
    this.changed = changed;
    this.reply = find(form, ".reply", HTMLElement);
    this.inputs = findAll(form, "input", HTMLInputElement);
    /** @type {Standing} */
    this.standing = "open";
    this.again = make(
      "button",
      { type: "button", class: "quiet", onclick: () => this.clear() },
      graded ? "Take back" : "Try again",
    );
    find(form, ".question-controls", HTMLElement).append(
      make("button", { type: "submit" }, graded ? "Save answer" : "Check answer"),
      this.again,
    );
    form.noValidate = true;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.answer(this.given());
    });
    const before = recall(answerKey(question), null);
    if (before === null) this.show("open");
    else {
      this.fill(before);
      this.answer(before);
    }
  }

  /** @returns {Answer} */
  given() {
    if (this.question.kind === "number") return this.inputs[0].value;
    return this.inputs.filter((input) => input.checked).map((input) => Number(input.value));
  }

  /** @param {Answer} answer */
  fill(answer) {
    if (typeof answer === "string") this.inputs[0].value = answer;
    else for (const input of this.inputs) input.checked = answer.includes(Number(input.value));
  }

  /** @param {Answer} answer */
  answer(answer) {
    if (answer.length === 0) {
      this.show("open", make("p", {}, "Choose an answer first."));
      return;
    }
    remember(answerKey(this.question), answer);
    if (this.graded) {
      this.show("saved", make("p", {}, "Saved on this device. You can still change it."));
      return;
    }
    const { right, replies, nudge } = mark(this.question, answer);
    const verdict = make("p", { class: "verdict" }, right ? "That is right." : "Not yet.");
    this.show(right ? "right" : "wrong", verdict, ...replies.map(fromHtml), ...paragraph(nudge));
  }

  clear() {
    forget(answerKey(this.question));
    this.form.reset();
    this.show("open");
    this.inputs[0].focus();
  }

  /**
   * @param {Standing} standing
   * @param {...Node} reply
   */
  show(standing, ...reply) {
    this.standing = standing;
    this.form.dataset["standing"] = standing;
    this.again.hidden = standing === "open";
    this.reply.replaceChildren(...reply);
    this.changed();
  }
}

/** @param {Question} question */
const answerKey = (question) => `answer:${question.id}`;

/** @param {string} html a reply that the build has rendered */
function fromHtml(html) {
  const holder = make("p");
  holder.innerHTML = html;
  return holder;
}

/** @param {string} text */
const paragraph = (text) => (text ? [make("p", { class: "nudge" }, text)] : []);

/**
 * A button that saves all answers as the file to hand in.
 * @param {Question[]} questions
 */
function offerAnswers(questions) {
  const collect = () => {
    const answers = Object.fromEntries(
      questions.flatMap((question) => {
        const answer = recall(answerKey(question), null);
        return answer === null ? [] : [[question.id, answer]];
      }),
    );
    download("answers.json", JSON.stringify({ answers }, null, 2), "application/json");
  };
  const last = findAll(document, ".quiz", HTMLElement).at(-1);
  last?.append(
    make(
      "div",
      { class: "hand-in" },
      make("p", {}, "When you are done, download your answers and hand the file in with your code."),
      make("button", { type: "button", onclick: collect }, "Download answers.json"),
    ),
  );
}

/** The coding challenges of the page: write, run, check, keep, hand in. */

import { download, find, findAll, make } from "../shared/dom.js";
import { readLesson } from "../shared/lesson.js";
import { Python } from "./python.js";
import { Workbench } from "./workbench.js";

export function start() {
  const lesson = readLesson();
  const python = new Python(
    lesson.pythonRuntime,
    document.getElementById("python-worker")?.textContent ?? "",
    document.getElementById("python-harness")?.textContent ?? "",
  );
  /** @type {Workbench[]} */
  const benches = [];
  for (const block of findAll(document, ".challenge", HTMLElement)) {
    const challenge = lesson.challenges.find((item) => item.id === block.dataset["challenge"]);
    if (challenge) benches.push(new Workbench(block, challenge, python, benches, lesson));
  }
  const last = findAll(document, ".challenge", HTMLElement).at(-1);
  last?.after(handIn(benches, lesson.file, python));
}

/**
 * @param {Workbench[]} benches
 * @param {string} file
 * @param {Python} python
 */
function handIn(benches, file, python) {
  const status = make("p", { role: "status" });
  const save = async () => {
    download(file, wholeFile(benches), "text/x-python");
    status.textContent = `${file} is downloaded.`;
    if (!python.ready || python.giveUp) return;
    const parts = benches.map((bench) => bench.part());
    const listener = { progress: () => {}, output: () => {} };
    const { broken = [] } = await python.perform({ what: "compile", parts }, listener);
    const names = broken.map((part) => `${part.name} (line ${part.line ?? "?"})`);
    if (names.length > 0) {
      status.textContent += ` But ${names.join(" and ")} is not valid Python yet, and the file cannot be graded before that is mended.`;
    }
  };
  return make(
    "div",
    { class: "hand-in" },
    make("h3", {}, "Hand in"),
    make("p", {}, `This puts the code of all challenges into one file, ${file}.`),
    make("button", { type: "button", onclick: save }, `Download ${file}`),
    status,
  );
}

/** @param {Workbench[]} benches */
function wholeFile(benches) {
  return benches
    .map((bench) => {
      const title = find(bench.block, "h3", HTMLElement).dataset["title"] ?? bench.challenge.id;
      return `# ${title}\n\n${bench.field.value.trim()}\n`;
    })
    .join("\n\n");
}

/** Tab and Escape in a plain text field for code. */

const STEP = "    ";

/**
 * Tab indents, Shift and Tab take a step back; after Escape the next Tab leaves the field.
 * @param {HTMLTextAreaElement} field
 */
export function typeCode(field) {
  let leaving = false;
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leaving = true;
    else if (event.key === "Tab" && !leaving) {
      event.preventDefault();
      indent(field, event.shiftKey);
    } else if (event.key !== "Tab" && event.key !== "Shift") leaving = false;
  });
  field.addEventListener("blur", () => (leaving = false));
}

/**
 * @param {HTMLTextAreaElement} field
 * @param {boolean} back
 */
function indent(field, back) {
  const { selectionStart, selectionEnd, value } = field;
  if (!back && selectionStart === selectionEnd) {
    insert(field, STEP);
    return;
  }
  const first = value.lastIndexOf("\n", selectionStart - 1) + 1;
  const lines = value.slice(first, selectionEnd).split("\n");
  const changed = lines.map((line) => (back ? line.replace(/^ {1,4}/, "") : STEP + line)).join("\n");
  field.setSelectionRange(first, selectionEnd);
  insert(field, changed);
  const start = Math.max(first, selectionStart + (back ? lines[0].search(/\S|$/) * -1 : STEP.length));
  field.setSelectionRange(lines.length > 1 ? first : start, first + changed.length);
}

/**
 * Put text in place of the selection so that the browser's own undo knows it.
 * @param {HTMLTextAreaElement} field
 * @param {string} text
 */
function insert(field, text) {
  if (document.execCommand?.("insertText", false, text)) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

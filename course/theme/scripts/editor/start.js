/** CodeMirror over each labelled text field for code; the field stays the one that holds it. */

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

import { findAll } from "../shared/dom.js";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.bool, tags.null], color: "var(--code-keyword)", fontWeight: "600" },
  { tag: [tags.string, tags.docString], color: "var(--code-string)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.function(tags.definition(tags.variableName)), color: "var(--code-name)" },
]);

const look = EditorView.theme({
  "&": { backgroundColor: "var(--code)", color: "var(--ink)", fontSize: "0.84rem" },
  ".cm-content": { fontFamily: "var(--mono)", caretColor: "var(--ink)", padding: "0.6rem 0" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--quiet)", border: "0" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "2px" },
  "& .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent)" },
});

export function start() {
  for (const field of findAll(document, "textarea[data-code]", HTMLTextAreaElement)) enhance(field);
}

/** @param {HTMLTextAreaElement} field */
function enhance(field) {
  const label = field.labels?.[0];
  if (label && !label.id) label.id = `${field.id}-label`;
  const view = new EditorView({
    state: EditorState.create({
      doc: field.value,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of("    "),
        bracketMatching(),
        highlightActiveLine(),
        python(),
        syntaxHighlighting(colours),
        look,
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({
          "aria-labelledby": label?.id ?? "",
          "aria-describedby": field.getAttribute("aria-describedby") ?? "",
          spellcheck: "false",
          tabindex: "0",
          autocapitalize: "off",
        }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          field.value = update.state.doc.toString();
          field.dispatchEvent(new Event("input", { bubbles: true }));
        }),
      ],
    }),
  });
  field.after(view.dom);
  field.hidden = true;
  label?.addEventListener("click", () => view.focus());
  field.addEventListener("lesson:set", () => {
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: field.value } });
  });
}

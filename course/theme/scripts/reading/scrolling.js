/** Tables and formulas wider than the screen: they scroll in their own frame, also by keyboard. */

import { findAll } from "../shared/dom.js";

const frames = ".table-frame, .formula-line, pre";

export function watchFrames() {
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) mark(target);
  });
  const seen = new WeakSet();
  const watch = () => {
    for (const frame of findAll(document, frames, HTMLElement)) {
      if (!seen.has(frame)) sizes.observe(frame);
      seen.add(frame);
    }
  };
  watch();
  new MutationObserver(watch).observe(document.body, { childList: true, subtree: true });
}

/** @param {Element} frame */
function mark(frame) {
  const scrolls = frame.scrollWidth > frame.clientWidth + 1;
  frame.classList.toggle("scrolls", scrolls);
  if (scrolls) frame.setAttribute("tabindex", "0");
  else frame.removeAttribute("tabindex");
}

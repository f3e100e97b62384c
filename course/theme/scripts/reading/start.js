/** Reading: one section at a time, the address and the arrow keys move between them. */

import { currentAddress } from "../shared/address.js";
import { find, findAll, make } from "../shared/dom.js";
import { watchFrames } from "./scrolling.js";

export function start() {
  const sections = findAll(document, "main > .section", HTMLElement);
  if (sections.length === 0) return;
  watchFrames();
  new Reading(sections);
}

class Reading {
  /** @param {HTMLElement[]} sections */
  constructor(sections) {
    this.sections = sections;
    this.links = findAll(document, ".contents a", HTMLAnchorElement);
    this.contents = foldedContents();
    this.progress = make("progress", { max: sections.length, value: 1, "aria-label": "Progress" });
    this.place = make("span", { class: "progress-text" });
    this.shown = 0;
    this.landed = -1;
    this.previous = make("a", { class: "previous", rel: "prev" });
    this.next = make("a", { class: "next", rel: "next" });
    find(document, "#main", HTMLElement).append(
      make("nav", { class: "steps-nav", "aria-label": "Sections" }, this.previous, this.next),
    );
    this.contents?.before(make("div", { class: "progress" }, this.place, this.progress));
    document.documentElement.classList.add("paged");

    for (const section of sections) {
      section.addEventListener("beforematch", () => this.found(section));
    }
    addEventListener("hashchange", () => this.follow(true));
    document.addEventListener("keydown", (event) => this.key(event));
    this.follow(false);
  }

  /**
   * Show the section that the address names, or that holds what it names.
   * @param {boolean} moved the reader has moved here, so the heading gets the focus
   */
  follow(moved) {
    const { id, state } = currentAddress();
    const target = id ? document.getElementById(id) : null;
    const index = Math.max(0, this.sections.findIndex((section) => section.contains(target)));
    const section = this.sections[index];
    const same = index === this.landed;
    this.landed = index;
    this.show(index);
    if (target && target !== section) target.scrollIntoView();
    else if (state.size > 0) this.land(section.querySelector("[data-state]:not(a)") ?? section, moved);
    else if (moved && !same) this.land(section, moved);
  }

  /**
   * The browser has found text in a section that was not shown, or goes to an address in it.
   * @param {HTMLElement} section
   */
  found(section) {
    this.show(this.sections.indexOf(section));
    if (section.contains(document.getElementById(currentAddress().id))) return; // see follow()
    this.landed = this.shown;
    history.pushState(null, "", `#${section.id}`);
  }

  /**
   * @param {Element} place
   * @param {boolean} moved
   */
  land(place, moved) {
    const section = this.sections.includes(/** @type {HTMLElement} */ (place));
    if (section) scrollTo({ top: 0, behavior: "instant" });
    else place.scrollIntoView();
    const goal = section ? place.querySelector("h2") : place;
    if (moved && goal instanceof HTMLElement) focusQuietly(goal);
  }

  /** @param {number} shown */
  show(shown) {
    this.sections.forEach((section, index) => {
      if (index === shown) {
        section.removeAttribute("hidden");
        section.setAttribute("aria-labelledby", `${section.id}-title`);
      } else {
        section.setAttribute("hidden", "until-found");
        section.removeAttribute("aria-labelledby"); // with a name it would be an empty landmark
      }
    });
    this.links.forEach((link, index) => {
      if (index === shown) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    });
    this.shown = shown;
    this.progress.value = shown + 1;
    this.place.textContent = `Section ${shown + 1} of ${this.sections.length}`;
    this.step(this.previous, shown - 1, "Previous");
    this.step(this.next, shown + 1, "Next");
    if (this.contents instanceof HTMLDetailsElement && isNarrow()) this.contents.open = false;
  }

  /**
   * @param {HTMLAnchorElement} link
   * @param {number} index
   * @param {string} word
   */
  step(link, index, word) {
    const section = this.sections[index];
    link.hidden = section === undefined;
    if (section === undefined) return;
    link.href = `#${section.id}`;
    const title = find(section, "h2", HTMLElement).cloneNode(true);
    link.replaceChildren(
      make("span", { class: "step-word" }, word),
      make("span", { class: "step-title" }, ...title.childNodes),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || event.defaultPrevented || isWorking(event)) return;
    const section = this.sections[this.shown + step];
    if (section) location.hash = section.id;
  }
}

/**
 * Is the key meant for a field, a control, a table that scrolls, or the browser itself?
 * @param {KeyboardEvent} event
 */
function isWorking(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return true;
  const target = event.target instanceof Element ? event.target : null;
  const controls = "input, select, textarea, button, summary, progress, .scrolls, [role=textbox]";
  return Boolean(target?.closest(`${controls}, [contenteditable=true]`));
}

/** The table of contents; on a narrow screen it folds away. */
function foldedContents() {
  const nav = document.querySelector("nav.contents");
  if (!nav) return null;
  const details = make("details", { class: "contents-fold", open: !isNarrow() });
  details.append(make("summary", {}, "Contents"), ...nav.childNodes);
  nav.append(details);
  matchMedia(narrow).addEventListener("change", (event) => {
    details.open = !event.matches;
  });
  return details;
}

const narrow = "(max-width: 60rem)";
const isNarrow = () => matchMedia(narrow).matches;

/** @param {HTMLElement} element */
function focusQuietly(element) {
  if (!element.hasAttribute("tabindex")) element.setAttribute("tabindex", "-1");
  element.focus({ preventScroll: true });
}

/** Make and find elements: the few lines that stand in for a framework. */

/** @typedef {string | number | boolean | null | undefined | EventListener} Attribute */
/** @typedef {Node | string} Child */

/**
 * An element with attributes and children. `true` sets an empty attribute; `false`, `null` and
 * `undefined` leave it out; a function listens to the event named after `on`.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...children);
  return element;
}

/**
 * The one element of that type below `root`; a missing one is a mistake in a template.
 * @template {HTMLElement} Kind
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function find(root, selector, kind) {
  const element = root.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`no ${kind.name} at ${selector}`);
  return element;
}

/**
 * @template {HTMLElement} Kind
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind[]}
 */
export function findAll(root, selector, kind) {
  return [...root.querySelectorAll(selector)].flatMap((element) =>
    element instanceof kind ? [element] : [],
  );
}

/**
 * Run `render`, which may replace what has the focus; the element of the same id gets it back.
 * @param {() => void} render
 */
export function keepFocus(render) {
  const id = document.activeElement?.id;
  render();
  if (id && document.activeElement?.id !== id) document.getElementById(id)?.focus();
}

/**
 * Let the browser save a text as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

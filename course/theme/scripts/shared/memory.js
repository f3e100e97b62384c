/** What the page remembers on this device, if the browser lets it. */

const prefix = `lesson:${document.documentElement.dataset["lesson"] ?? document.title}:`;

/**
 * @template Value
 * @param {string} key
 * @param {Value} otherwise
 * @returns {Value}
 */
export function recall(key, otherwise) {
  try {
    const text = localStorage.getItem(prefix + key);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
export function remember(key, value) {
  try {
    localStorage.setItem(prefix + key, JSON.stringify(value));
  } catch {
    // Private windows and full disks: the page works on, it only forgets.
  }
}

/** @param {string} key */
export function forget(key) {
  try {
    localStorage.removeItem(prefix + key);
  } catch {
    // See above.
  }
}

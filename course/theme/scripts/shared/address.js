/** The address after `#`: the section, and after `?` the state of what it shows. */

/**
 * @typedef {object} Address
 * @property {string} id the section, or something in it
 * @property {URLSearchParams} state
 */

/**
 * @param {string} hash
 * @returns {Address}
 */
export function parseAddress(hash) {
  const [id, query = ""] = hash.replace(/^#/, "").split("?", 2);
  let name = id;
  try {
    name = decodeURIComponent(id);
  } catch {
    // A mistyped escape names no section; the first is shown.
  }
  return { id: name, state: new URLSearchParams(query) };
}

/** @returns {Address} */
export function currentAddress() {
  return parseAddress(location.hash);
}

/**
 * Put a state into the address without a new entry in the history.
 * @param {string} id
 * @param {string} query
 */
export function replaceAddress(id, query) {
  history.replaceState(history.state, "", `#${id}${query ? `?${query}` : ""}`);
}

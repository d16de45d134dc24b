// Small helpers. What comes from a message goes into the page as text, never as HTML.

export const byId = (id) => document.getElementById(id);

/** A new element. Attributes that are false, null or undefined are left out; `on` holds listeners. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') {
      Object.entries(value).forEach(([event, listener]) => node.addEventListener(event, listener));
    } else if (value !== false && value != null) {
      node.setAttribute(name, value === true ? '' : value);
    }
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

/** Touches the page only if the text differs: so nothing flickers and no selection is lost. */
export function setText(node, text) {
  const wanted = text == null ? '' : String(text);
  if (node.textContent !== wanted) {
    node.textContent = wanted;
  }
}

export function setAttribute(node, name, value) {
  if (value == null) {
    node.removeAttribute(name);
  } else if (node.getAttribute(name) !== String(value)) {
    node.setAttribute(name, value);
  }
}

export function show(node, visible) {
  if (node.hidden === visible) {
    node.hidden = !visible;
  }
}

/** Shows the text of an error, or hides the place for it. */
export function showError(id, error) {
  const node = byId(id);
  setText(node, error ? error.message : '');
  show(node, Boolean(error));
}

/**
 * Keeps the rows of a table in step with `items`: a row stays the same element as long as its key
 * is there, so that focus and scroll position stay where they are. `create` gives {node, update}.
 */
export function rowsOf(body, keyOf, create) {
  const rows = new Map();
  return (items) => {
    const keys = new Set(items.map(keyOf));
    for (const [key, row] of rows) {
      if (!keys.has(key)) {
        row.node.remove();
        rows.delete(key);
      }
    }
    items.forEach((item, index) => {
      const key = keyOf(item);
      if (!rows.has(key)) {
        rows.set(key, create(item));
      }
      const row = rows.get(key);
      row.update(item);
      if (body.children[index] !== row.node) {
        body.insertBefore(row.node, body.children[index] ?? null);
      }
    });
  };
}

let toastTimer;

/** Says for a while what was done; screen readers read it out. */
export function toast(text) {
  const node = byId('toast');
  node.textContent = text;
  // Shown anew, so that it lies above a dialog that was opened meanwhile.
  node.hidePopover();
  node.showPopover();
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => node.hidePopover(), 6000);
}

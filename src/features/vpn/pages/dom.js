/** Makes and changes elements. Text goes in as text only: names come from the machines of other people. */

const SVG = 'http://www.w3.org/2000/svg'

/**
 * An element. Attributes that are null or false are left out, functions are listeners (`onclick`), children are elements,
 * texts, or null for none.
 */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes))
    if (typeof value === 'function') made.addEventListener(key.slice(2), value)
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? '' : value)
  made.append(...children.filter((child) => child !== null))
  return made
}

/** A drawing of the page by its id. */
export function drawing(id, size, name) {
  const svg = document.createElementNS(SVG, 'svg')
  const use = document.createElementNS(SVG, 'use')
  use.setAttribute('href', `#${id}`)
  for (const side of ['width', 'height']) svg.setAttribute(side, size)
  if (name !== undefined) svg.setAttribute('class', name)
  svg.setAttribute('aria-hidden', 'true')
  svg.append(use)
  return svg
}

/** A shape for each state, so that none needs its colour. */
export const lamp = (state) => drawing(state, 12, `lamp l-${state}`)

export const byId = (id) => document.getElementById(id)

/** Writes only what is new, so that a selection in the text lasts. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text
}

/** Makes these the children of a node and moves none that is in its place: one that moves loses the focus. */
export function place(parent, children) {
  const wanted = new Set(children)
  const others = [...parent.childNodes].filter((child) => !wanted.has(child))
  for (const child of others) child.remove()
  for (const [at, child] of children.entries())
    if (parent.childNodes[at] !== child) parent.insertBefore(child, parent.childNodes[at] ?? null)
}

/** Tells it to who listens to the page. */
export function announce(text) {
  byId('said').textContent = text
}

/** A button that copies a text and says so for a moment. */
export function copyButton(what, text, shown = null) {
  const button = el('button', {
    type: 'button',
    class: shown === null ? 'copy' : 'btn',
    'aria-label': shown === null ? `Copy ${what}` : null,
    title: shown === null ? `Copy ${what}` : null,
  })
  const rest = () => button.replaceChildren(shown ?? drawing('copy', 16))
  button.addEventListener('click', () => {
    void copy(text(), button).then((is_done) => {
      const words = is_done ? 'Copied' : 'Not copied'
      button.replaceChildren(words)
      announce(is_done ? `Copied: ${what}` : `Not copied: select the text and copy it`)
      setTimeout(rest, 1500)
    })
  })
  rest()
  return button
}

/** A page that came over plain http has no clipboard: there a selection is copied, beside the button, so that a dialog allows it. */
async function copy(text, beside) {
  if (navigator.clipboard !== undefined)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const field = el('textarea', { class: 'sr', readonly: true, 'aria-hidden': 'true' })
  field.value = text
  beside.after(field)
  field.select()
  const is_done = document.execCommand('copy')
  field.remove()
  beside.focus()
  return is_done
}

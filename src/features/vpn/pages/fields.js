/** The fields of the dialog, each with a line below it that says what is wrong, or what it is for. */
import { el, lamp } from './dom.js'

export const secretField = (id) =>
  el('input', {
    id,
    class: 'input mono',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    autocapitalize: 'off',
  })

export const field = (input, title, text) =>
  el(
    'div',
    { class: 'field' },
    el('label', { for: input.id }, title),
    input,
    el('p', { class: 'check small', id: `${input.id}-said`, 'data-rest': text }, text),
  )

/** Writes under a field what is wrong with it, or that it is well; null: what stands there at rest. */
export function say(input, state, message) {
  const line = input.nextElementSibling
  if (line === null) return
  const text = message ?? line.dataset.rest
  if (line.dataset.state !== String(state) || line.textContent !== text)
    line.replaceChildren(...(state === null ? [] : [lamp(state)]), text)
  line.dataset.state = String(state)
  line.classList.toggle('c-wrong', state === 'wrong')
  input.setAttribute('aria-invalid', String(state === 'wrong'))
  input.setAttribute('aria-describedby', line.id)
}

export const insecure = () =>
  el(
    'p',
    { class: 'warning grave', id: 'insecure' },
    lamp('wrong'),
    'This page came over plain http: whoever listens on the way reads the key. Use https, or the computer that it runs on.',
  )

const PRESETS = [
  { id: 'full_tunnel', word: 'Full Tunnel' },
  { id: 'homelab', word: 'Homelab' },
  { id: 'custom', word: 'Custom' },
]

/** Buttons of a radio group; what can be chosen besides Full Tunnel and Custom is not known yet. */
export const presetChoices = (choose) =>
  PRESETS.map(({ id, word }) => {
    const input = el('input', { type: 'radio', id: `preset-${id}`, class: 'sr', onchange: () => choose(id) })
    // The arrow keys need a common name. It is the only one in the form, and says nothing.
    input.name = 'preset'
    input.checked = id === 'full_tunnel'
    input.disabled = id === 'homelab'
    return { id, input, label: el('label', { for: input.id }, word) }
  })

export const presetField = (choices) =>
  el(
    'fieldset',
    {},
    el('legend', {}, 'What goes through the tunnel'),
    el('div', { class: 'seg full' }, ...choices.flatMap(({ input, label }) => [input, label])),
  )

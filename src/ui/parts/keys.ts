/** Keys of the page: single keys and sequences of two, never inside a field, and they can be switched off. */

export interface Key {
  /** `n`, `g d`, `mod+enter`, `shift+?` is just `?`. */
  readonly keys: string
  readonly label: string
  readonly run: () => void
}

const layers: (readonly Key[])[] = []
const OFF = 'plumbline.keys'

export function keysAreOn(): boolean {
  try {
    return window.localStorage.getItem(OFF) !== 'off'
  } catch {
    return true
  }
}

export function setKeysOn(on: boolean): void {
  try {
    if (on) window.localStorage.removeItem(OFF)
    else window.localStorage.setItem(OFF, 'off')
  } catch {
    // Storage is full or forbidden: it holds until the page is left.
  }
}

/** The newest layer goes first. */
export function addKeys(keys: readonly Key[]): () => void {
  layers.push(keys)
  return () => {
    const at = layers.indexOf(keys)
    if (at !== -1) layers.splice(at, 1)
  }
}

export const allKeys = (): readonly Key[] => layers.flat()

/** How the modifier with Enter is written on the keyboard of whoever looks. */
export const MOD_ENTER = /^(Mac|iP)/.test(navigator.platform) ? '⌘⏎' : 'Ctrl ⏎'

const SEQUENCE_MS = 1200
let begun = ''
let begunAt = 0

export function startKeys(): void {
  document.addEventListener('keydown', (event) => {
    const pressed = nameOf(event)
    if (pressed === null) return
    const single = !pressed.includes('mod+') && pressed !== 'escape'
    if (single && (isTyping(event.target) || !keysAreOn())) return
    if (document.querySelector('dialog[open]') !== null && pressed !== 'mod+enter') return
    // What is open closes first: that is the browser's.
    if (pressed === 'escape' && document.querySelector(':popover-open') !== null) return
    const sequence = event.timeStamp - begunAt < SEQUENCE_MS ? `${begun} ${pressed}` : pressed
    const key = find(sequence) ?? find(pressed)
    begun = pressed
    begunAt = event.timeStamp
    if (key === undefined) return
    begun = ''
    event.preventDefault()
    key.run()
  })
}

function find(keys: string): Key | undefined {
  for (const layer of layers.toReversed()) {
    const found = layer.find((one) => one.keys === keys)
    if (found !== undefined) return found
  }
  return undefined
}

function nameOf(event: KeyboardEvent): string | null {
  if (event.defaultPrevented || event.isComposing || event.altKey) return null
  const mod = event.ctrlKey || event.metaKey
  const key = event.key.toLowerCase()
  // Enter is a link's own, and with the space bar a button's.
  if (!mod && key === 'enter' && isControl(event.target, 'a,button,summary,input')) return null
  if (!mod && key === ' ' && isControl(event.target, 'button,summary,input')) return null
  const shift = event.shiftKey && key.startsWith('arrow') ? 'shift+' : ''
  return `${mod ? 'mod+' : ''}${shift}${key === ' ' ? 'space' : key}`
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)))

const isControl = (target: EventTarget | null, which: string): boolean =>
  target instanceof HTMLElement && target.closest(which) !== null

/** The address is the state: which page, of what, and the query with filter, order and tab. */
import { computed, signal } from '@preact/signals'

interface Address {
  readonly path: string
  readonly query: URLSearchParams
}

const read = (): Address => ({
  path: window.location.pathname,
  query: new URLSearchParams(window.location.search),
})

export const address = signal<Address>(read())

export const path = computed(() => address.value.path)

/** A panel, typed text: asked before leaving, and may say no. */
let mayLeave: () => boolean = () => true
export const guardLeaving = (ask: () => boolean): (() => void) => {
  mayLeave = ask
  return () => {
    mayLeave = () => true
  }
}

export function go(to: string, { replace = false } = {}): void {
  if (!replace && !mayLeave()) return
  if (replace) window.history.replaceState(null, '', to)
  else window.history.pushState(null, '', to)
  const before = address.peek().path
  address.value = read()
  if (!replace && before !== address.peek().path) window.scrollTo(0, 0)
}

/** Sets or, with null, removes words of the query; nothing is added to the history. */
export function setQuery(changes: Readonly<Record<string, string | null>>, { push = false } = {}): void {
  const query = new URLSearchParams(address.peek().query)
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === '') query.delete(name)
    else query.set(name, value)
  const text = query.toString()
  go(address.peek().path + (text === '' ? '' : `?${text}`), { replace: !push })
}

export const queryOf = (name: string): string | null => address.value.query.get(name)

export function startRouter(): void {
  window.addEventListener('popstate', () => {
    address.value = read()
  })
  document.addEventListener('click', (event) => {
    const to = ownLink(event)
    if (to === null) return
    event.preventDefault()
    go(to)
  })
}

/** A plain click on a link of ours; everything else is the browser's. */
function ownLink(event: MouseEvent): string | null {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return null
  if (link.origin !== window.location.origin || link.dataset['outside'] !== undefined) return null
  return link.getAttribute('href')?.startsWith('#') === true ? null : link.pathname + link.search
}

/** `/domains/{name}`: a name is one part of the path, whatever stands in it. */
export const domainAddress = (name: string): string => `/domains/${encodeURIComponent(name)}`

export function domainOf(where: string): string | null {
  const part = /^\/domains\/([^/]+)$/.exec(where)?.[1]
  if (part === undefined || part === 'new') return null
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

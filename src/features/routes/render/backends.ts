/**
 * Where a service of a routes file leads, in one spelling for each place. The text may be anybody's: what is not of the
 * few forms that are known here cannot be told.
 */
import { isIP } from 'node:net'
import { canonicalAddress, parseAddress } from '../../../model/network/address.ts'

export interface Backend {
  /** In canonical form; one word for all addresses of the proxy's own host. */
  readonly host: string
  readonly port: string
  /** What it leads to is for a resolver to say. */
  readonly is_name: boolean
}

/** A key with a value in quotes, a plain one, or none. No word of YAML (an anchor, a list in one line) begins like these. */
const LINE = /^ {6,}(?:- )?([A-Za-z]+):(?: (?:"([^"\\]*)"|'([^']*)'|([A-Za-z0-9./-][A-Za-z0-9./:@_-]*)))?$/
/** An entry of a list. */
const ENTRY = /^ {8,}- (?:"([^"\\]*)"|'([^']*)'|([A-Za-z0-9./-][A-Za-z0-9./@_-]*))$/

export interface Destinations {
  readonly backends: readonly Backend[]
  /** What else is named: it may be another service. */
  readonly words: readonly string[]
}

/** Of a service without comments, as text; null where it cannot be told. */
export function destinationsIn(service: string): Destinations | null {
  const backends: Backend[] = []
  const words: string[] = []
  const [head = '', ...lines] = service.split('\n')
  if (head !== '' && !head.endsWith(':')) return null
  for (const line of lines) {
    if (line === '') continue
    const [, key, ...values] = LINE.exec(line) ?? ENTRY.exec(line)?.toSpliced(1, 0, '') ?? []
    if (key === undefined) return null
    const value = values.find((one) => one !== undefined)
    if (key.toLowerCase() !== 'url' && key.toLowerCase() !== 'address') {
      // A service of another provider leads who knows where.
      if (value?.includes('@') === true) return null
      if (value !== undefined) words.push(value)
      continue
    }
    const backend =
      value === undefined ? null : backendOf(key.toLowerCase() === 'url' ? value : `http://${value}`)
    if (backend === null) return null
    backends.push(backend)
  }
  return { backends, words }
}

/** Under which of the two schemes that a URL parser knows the usual port of the proxy's own is the same. */
const SCHEMES: Readonly<Record<string, { readonly as: string; readonly port: string }>> = {
  http: { as: 'http', port: '80' },
  h2c: { as: 'http', port: '80' },
  https: { as: 'https', port: '443' },
}

/** Null for what cannot be read. */
function backendOf(url: string): Backend | null {
  const [, scheme = '', rest = ''] = /^([A-Za-z0-9]+):\/\/(.+)$/.exec(url) ?? []
  const known = SCHEMES[scheme.toLowerCase()]
  if (known === undefined) return null
  const read = URL.parse(`${known.as}://${rest}`)
  if (read === null) return null
  const host = canonicalHost(read.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, ''))
  return host === null ? null : { host, port: read.port || known.port, is_name: isName(host) }
}

const OWN_HOST = 'localhost'

/** The proxy's own host may have any of the addresses: it is as good as a name. */
const isName = (host: string): boolean => isIP(host) === 0

function canonicalHost(host: string): string | null {
  const address = canonicalAddress(host) ?? host
  if (/^(?:127\.[\d.]+|0\.0\.0\.0|::1?|(?:.*\.)?localhost)$/.test(address)) return OWN_HOST
  if (isIP(address) === 0) return address === '' ? null : address
  // Some forms embed another address.
  return parseAddress(address).ok ? address : null
}

export const isSamePlace = (a: Backend, b: Backend): boolean => a.host === b.host && a.port === b.port

/** Many places, each found without looking at the others: an estate has thousands, and each of its routers asks. */
export class Places {
  readonly #exact = new Set<string>()
  readonly #ports = new Set<string>()
  readonly #ports_of_names = new Set<string>()

  get size(): number {
    return this.#exact.size
  }

  add({ host, port, is_name }: Backend): void {
    this.#exact.add(`${host} ${port}`)
    this.#ports.add(port)
    if (is_name) this.#ports_of_names.add(port)
  }

  has({ host, port }: Backend): boolean {
    return this.#exact.has(`${host} ${port}`)
  }

  /** Whether it may be one of them: a name may stand for any address, and for any other name. */
  mayHave(backend: Backend): boolean {
    const { port, is_name } = backend
    return this.has(backend) || (is_name ? this.#ports : this.#ports_of_names).has(port)
  }
}

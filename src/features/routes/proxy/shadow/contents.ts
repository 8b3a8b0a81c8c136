/**
 * Objects of ours that the proxy runs with another content than that of the file which it loaded: of two files of a folder
 * that define one name, the first one wins (Traefik's file provider), and nothing says so. Pure.
 *
 * Compared is what the file says, as the API shows it: what the proxy fills in by itself is no difference. What an entrypoint puts
 * before our middlewares has been taken off by whoever has read the proxy; any other before them is a difference. Of the
 * operator's own middlewares the type alone is compared.
 */
import type { ProxyMiddleware, ProxyRouter, ProxyService, ProxySnapshot } from '../../traefik/port.ts'
import { isRecord } from '../../../../kernel/text/lenient.ts'

/** `http.services.plumbline-site_app.example.com`, as the file names it. */
export interface OtherContent {
  readonly item: string
  /** With its provider. */
  readonly name: string
  readonly provider: string
  /** `rule`, `servers`, `forwardAuth.address` */
  readonly part: string
  /** Null where a value is not for everybody's eyes. */
  readonly expected: string | null
  readonly found: string | null
}

type Objects<T> = ReadonlyMap<string, T>

/** What the proxy shows, by kind and full name. */
export interface ShownObjects {
  readonly routers: Objects<ProxyRouter>
  readonly services: Objects<ProxyService>
  readonly middlewares: Objects<ProxyMiddleware>
}

export const shownObjects = ({ routers, services, middlewares }: ProxySnapshot): ShownObjects => ({
  routers: new Map(routers.map((one) => [`${one.kind} ${one.name}`, one])),
  services: new Map(services.map((one) => [`${one.kind} ${one.name}`, one])),
  middlewares: new Map(middlewares.map((one) => [`http ${one.name}`, one])),
})

/** Providers that read what we write: the file itself, or the same over HTTP. */
const PROVIDERS = ['file', 'http']

/**
 * The first part that differs; null where none does, and for what the proxy does not have at all.
 * @param content as the file says it
 */
export function otherContent(item: string, content: unknown, shown: ShownObjects): OtherContent | null {
  const [root = '', kind = ''] = item.split('.', 2)
  const name = item.slice(root.length + kind.length + 2)
  for (const provider of PROVIDERS) {
    const full = `${name}@${provider}`
    const found = partOf(kind, content, { key: `${root} ${full}`, provider, shown })
    if (found !== null) return { item, name: full, provider, ...found }
  }
  return null
}

type Part = Pick<OtherContent, 'part' | 'expected' | 'found'>

interface ContentPosition {
  readonly key: string
  readonly provider: string
  readonly shown: ShownObjects
}

function partOf(kind: string, content: unknown, { key, provider, shown }: ContentPosition): Part | null {
  switch (kind) {
    case 'routers': {
      const router = shown.routers.get(key)
      return router === undefined ? null : routerPart(mapOf(content), router, provider)
    }
    case 'services': {
      const service = shown.services.get(key)
      return service === undefined ? null : servicePart(mapOf(content), service)
    }
    case 'middlewares': {
      const middleware = shown.middlewares.get(key)
      return middleware === undefined ? null : middlewarePart(mapOf(content), middleware)
    }
    default:
      return null
  }
}

function routerPart(content: Content, router: ProxyRouter, provider: string): Part | null {
  const full = (name: string): string => (name.includes('@') ? name : `${name}@${provider}`)
  const own = textsOf(content['middlewares']).map(full)
  const parts: readonly Part[] = [
    { part: 'rule', expected: textOf(content['rule']), found: router.rule },
    { part: 'service', expected: full(textOf(content['service'])), found: router.service },
    { part: 'priority', expected: textOf(content['priority']), found: String(router.priority ?? '') },
    { part: 'middlewares', expected: own.join(', '), found: router.middlewares.join(', ') },
    {
      part: 'entrypoints',
      expected: textsOf(content['entryPoints']).toSorted().join(', '),
      found: router.entrypoints.toSorted().join(', '),
    },
    { part: 'tls', expected: 'yes', found: content['tls'] === undefined || router.tls ? 'yes' : 'no' },
  ]
  return parts.find(({ expected, found }) => expected !== found) ?? null
}

function servicePart(content: Content, service: ProxyService): Part | null {
  const { servers } = mapOf(content['loadBalancer'])
  const expected = (Array.isArray(servers) ? servers : [])
    .map((server) => textOf(mapOf(server)['url'] ?? mapOf(server)['address']))
    .join(', ')
  const found = service.addresses.join(', ')
  return expected === found ? null : { part: 'servers', expected, found }
}

function middlewarePart(content: Content, { type, config }: ProxyMiddleware): Part | null {
  const [own = ''] = Object.keys(content)
  // Its type is the plugin's own name there.
  if (own === 'plugin') return null
  if (own.toLowerCase() !== type.toLowerCase()) return { part: 'type', expected: own, found: type }
  if (config === undefined) return null
  const at = firstOther(content[own], config, own)
  return at === null ? null : { part: at, expected: null, found: null }
}

/** Where the first value stands that is not as it was written, as `headers.stsSeconds`. */
function firstOther(written: unknown, shown: unknown, at: string): string | null {
  if (!isRecord(written)) return isSame(written, shown) ? null : at
  if (!isRecord(shown) && shown !== undefined && shown !== null) return at
  const found = new Map(Object.entries(mapOf(shown)).map(([key, value]) => [key.toLowerCase(), value]))
  for (const [key, value] of Object.entries(written)) {
    const other = firstOther(value, found.get(key.toLowerCase()), `${at}.${key}`)
    if (other !== null) return other
    found.delete(key.toLowerCase())
  }
  const is_plain = PLAIN.some((type) => at === type || at.startsWith(`${type}.`))
  const more = is_plain ? [...found].find(([, value]) => !isEmpty(value) || value === '') : undefined
  return more === undefined ? null : `${at}.${more[0]}`
}

/** Types in which the proxy fills in nothing: what is there besides was written by somebody. */
const PLAIN = ['headers', 'ipAllowList']

function isSame(written: unknown, shown: unknown): boolean {
  if (Array.isArray(written) || Array.isArray(shown))
    return textsOf(written).join('\n') === textsOf(shown).join('\n')
  return String(shown) === String(written) || (isEmpty(written) && isEmpty(shown))
}

/** The API leaves out what is nothing; an empty header is something. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0)

type Content = Readonly<Record<string, unknown>>
const mapOf = (value: unknown): Content => (isRecord(value) ? value : {})
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map((one) => textOf(one)) : []

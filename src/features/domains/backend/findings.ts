/** What the answers to the probes say, one by one. Pure: from what was seen to evidence. */
import type { Connected, HttpSeen } from './probe/port.ts'
import { isShell, samePage } from './page-shell.ts'
import type { PROBES, Evidence } from './views.ts'
export type ProbeName = (typeof PROBES)[number]

export interface Seen {
  readonly connected: Connected
  readonly http: HttpSeen | null
  readonly https: HttpSeen | null
  readonly websocket: HttpSeen | null
  /** By path, the first that answers as a description. */
  readonly descriptions: readonly { readonly path: string; readonly seen: HttpSeen }[]
  /** A path that no site has. */
  readonly nowhere: HttpSeen | null
}

/** The page that speaks for the service: over plain HTTP, else over TLS. */
export const pageOf = ({ http, https }: Seen): Extract<HttpSeen, { ok: true }> | null => {
  const usable = (seen: HttpSeen | null) => (seen?.ok === true && !isTlsHint(seen) ? seen : null)
  return usable(http) ?? usable(https)
}

/** A TLS port answers plain HTTP with a 400 that says so. */
export const isTlsHint = (seen: Extract<HttpSeen, { ok: true }>): boolean =>
  seen.status === 400 && /HTTPS|TLS|SSL/.test(seen.text)

export function evidenceOf(seen: Seen): readonly Evidence[] {
  return [tcp(seen), plain(seen), tls(seen), webSocket(seen), description(seen), spa(seen), files(seen)]
}

function tcp({ connected }: Seen): Evidence {
  if (!connected.ok)
    return { probe: 'tcp', found: false, detail: `No connection: ${connected.failure.replaceAll('_', ' ')}.` }
  const { greeting } = connected
  return greeting === ''
    ? { probe: 'tcp', found: true, detail: 'The port is open and waits to be asked.' }
    : { probe: 'tcp', found: true, detail: `It speaks first: ${greeting.slice(0, 80)}` }
}

function plain({ http }: Seen): Evidence {
  if (http === null) return untried('http')
  if (!http.ok)
    return { probe: 'http', found: false, detail: `No HTTP: ${http.failure.replaceAll('_', ' ')}.` }
  if (isTlsHint(http)) return { probe: 'http', found: false, detail: 'It asks to be spoken to over TLS.' }
  return { probe: 'http', found: true, detail: answered(http) }
}

function tls({ https }: Seen): Evidence {
  if (https === null) return untried('https')
  return https.ok
    ? { probe: 'https', found: true, detail: answered(https) }
    : { probe: 'https', found: false, detail: `No TLS: ${https.failure.replaceAll('_', ' ')}.` }
}

const answered = ({ status, headers }: Extract<HttpSeen, { ok: true }>): string =>
  `Answered ${status}${headers['content-type'] === undefined ? '' : `, ${typeOf(headers)}`}.` +
  (status >= 300 && status < 400 && headers['location'] !== undefined
    ? ' It redirects; that was not followed.'
    : '')

const typeOf = (headers: Readonly<Record<string, string>>): string =>
  (headers['content-type'] ?? '').replace(/;.*$/, '').trim().toLowerCase().slice(0, 80)

function webSocket({ websocket }: Seen): Evidence {
  if (websocket === null) return untried('websocket')
  if (!websocket.ok) return { probe: 'websocket', found: null, detail: 'It gave no answer to an upgrade.' }
  const takes = websocket.status === 101 && /^websocket$/i.test(websocket.headers['upgrade'] ?? '')
  return takes
    ? { probe: 'websocket', found: true, detail: 'It took the upgrade (101).' }
    : { probe: 'websocket', found: false, detail: `It answered the upgrade with ${websocket.status}.` }
}

function description({ descriptions }: Seen): Evidence {
  const hit = descriptions.find(({ seen }) => seen.ok && seen.status === 200 && isDescription(seen.text))
  if (hit !== undefined)
    return { probe: 'api_description', found: true, detail: `${hit.path} describes an API.` }
  return descriptions.length === 0
    ? untried('api_description')
    : { probe: 'api_description', found: false, detail: 'None of the usual paths describes an API.' }
}

/** OpenAPI and Swagger say what they are at the very beginning; the rest may be cut. */
const isDescription = (text: string): boolean =>
  /^\s*\{[\s\S]{0,2000}?"(?:openapi|swagger)"\s*:\s*"\d/.test(text)

function spa(seen: Seen): Evidence {
  const page = pageOf(seen)
  if (page === null || seen.nowhere === null) return untried('spa')
  const { nowhere } = seen
  const shell = isHtml(page) && isShell(page.text)
  const same = nowhere.ok && nowhere.status === 200 && isHtml(nowhere) && samePage(nowhere.text, page.text)
  if (shell && same)
    return { probe: 'spa', found: true, detail: 'An empty page with scripts, and the same one for any path.' }
  if (shell) return { probe: 'spa', found: null, detail: 'An empty page with scripts, but not for any path.' }
  return { probe: 'spa', found: false, detail: 'The page has its content in it, or is none.' }
}

const isHtml = (seen: Extract<HttpSeen, { ok: true }>): boolean =>
  seen.status === 200 && typeOf(seen.headers) === 'text/html'

function files(seen: Seen): Evidence {
  const page = pageOf(seen)
  if (page === null) return untried('static')
  const { headers } = page
  const marks = [
    headers['last-modified'] !== undefined && headers['etag'] !== undefined && 'validators of a file',
    headers['accept-ranges'] === 'bytes' && 'byte ranges',
    /<title>(?:Index of|Directory listing)/i.test(page.text) && 'a listing of a folder',
  ].filter((mark) => mark !== false)
  const dynamic = headers['set-cookie'] !== undefined || headers['x-powered-by'] !== undefined
  const found = marks.length > 0 && !dynamic && page.status === 200
  return found
    ? { probe: 'static', found, detail: `It answers like a file server: ${marks.join(', ')}.` }
    : { probe: 'static', found: false, detail: 'Nothing says that it serves files.' }
}

const untried = (probe: ProbeName): Evidence => ({ probe, found: null, detail: 'Not tried.' })

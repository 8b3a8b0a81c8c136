/**
 * Authelia's configuration file (4.37 to 4.39), of which only this is looked at: the session cookies' domains and sign-in
 * pages, which second factors there are, how long sessions live, and whether it holds access rules of its own. It also holds
 * secrets; no value that is not named here is kept, and no fault quotes the text.
 */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Milliseconds } from '../../../kernel/clock.ts'
import { untilAborted } from '../../../kernel/async/until-aborted.ts'
import type { Documents } from '../../../ports/documents.ts'
import type { SessionSettings } from '../../../model/access/sessions.ts'
import type { OwnRules, SignIn, SignInSettings } from '../sign-in-port.ts'
import { isRecord } from '../../../kernel/text/lenient.ts'

const WITHIN_MS: Milliseconds = 2_000
const MAX_BYTES = 512 * 1024
const NAME = /^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?$/

export interface SignInParts {
  /** Authelia's configuration; null where none is set. */
  readonly path: string | null
  /** Hosts of the sign-in page that the settings name. */
  readonly portals: readonly string[]
  /** Cookie domains that the settings name; empty for none. They count before the file. */
  readonly cookie_domains: readonly string[]
  readonly documents: Documents
}

/** An unchanged file is parsed once. One look at a time: on a file system that hangs each would hold a thread. */
export function signInSettings(parts: SignInParts): SignInSettings {
  const { path, documents } = parts
  let kept: { readonly stamp: string; readonly found: EndpointSettings } | null = null
  let looking: Promise<EndpointSettings> | null = null
  const look = async (at: string): Promise<EndpointSettings> => {
    // To open a pipe the plain way would wait for whoever writes into it, on a thread that all file work shares.
    await using file = await open(at, constants.O_RDONLY | constants.O_NONBLOCK)
    const status = await file.stat()
    if (!status.isFile()) return faulty('is no file')
    const { ino, mtimeMs, size } = status
    const stamp = `${ino} ${mtimeMs} ${size}`
    if (kept?.stamp !== stamp) kept = { stamp, found: await foundIn(file, size, documents) }
    return kept.found
  }
  const written = async (signal: AbortSignal): Promise<SignIn> => {
    if (path === null) return merged(parts, NOTHING)
    const late = AbortSignal.timeout(WITHIN_MS)
    looking ??= look(path).finally(() => (looking = null))
    try {
      return merged(parts, await untilAborted(looking, AbortSignal.any([signal, late])))
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const why = late.aborted
        ? `it does not answer within ${WITHIN_MS / 1000} s`
        : ((error as NodeJS.ErrnoException).code ?? 'error')
      return merged(parts, faulty(`cannot be read (${why})`))
    }
  }
  return {
    read: written,
    written,
    portals: () => merged(parts, kept?.found ?? NOTHING).portals,
  }
}

type EndpointSettings = Omit<SignIn, 'place' | 'no_endpoint'>

const NOTHING: EndpointSettings = {
  portals: [],
  cookie_domains: null,
  has_second_factor: null,
  own_rules: null,
  sessions: { outlive_restarts: null, watches_users: null, refresh_interval: null },
  fault: null,
}
const faulty = (fault: string): EndpointSettings => ({ ...NOTHING, fault })

const merged = ({ path, portals, cookie_domains }: SignInParts, found: EndpointSettings): SignIn => ({
  ...found,
  portals: [...new Set([...portals, ...found.portals])],
  cookie_domains: cookie_domains.length > 0 ? cookie_domains : found.cookie_domains,
  no_endpoint: null,
  place: path,
})

async function foundIn(file: FileHandle, size: number, documents: Documents): Promise<EndpointSettings> {
  if (size > MAX_BYTES) return faulty(`has more than ${MAX_BYTES} bytes`)
  const read = documents.read(await file.readFile('utf8'), { max_bytes: MAX_BYTES })
  // The reader's own words may quote the text.
  if (!read.ok) return faulty(`is no YAML that can be read here (line ${read.line ?? '?'})`)
  if (!isRecord(read.data)) return faulty('is no mapping')
  return {
    ...cookies(read.data),
    ...factors(read.data),
    own_rules: ownRules(read.data),
    sessions: sessions(read.data),
    fault: null,
  }
}

type Plain = Readonly<Record<string, unknown>>

/** A name that a template fills in is none that could be compared, and half a list would accuse the other half. */
function cookies(root: Plain): Pick<EndpointSettings, 'portals' | 'cookie_domains'> {
  const session = part(root, 'session')
  const listed = Array.isArray(session['cookies']) ? (session['cookies'] as readonly unknown[]) : []
  const entries = listed.filter(isRecord)
  const legacy = 'domain' in session ? [session['domain']] : []
  const domains = [...entries.map((entry) => entry['domain']), ...legacy].map(nameOf)
  return {
    portals: entries.map((entry) => hostOf(entry['authelia_url'])).filter((host) => host !== null),
    cookie_domains: domains.length === 0 || domains.includes(null) ? null : (domains as string[]),
  }
}

function nameOf(value: unknown): string | null {
  const name = typeof value === 'string' ? value.toLowerCase().replace(/^[.]/, '') : ''
  return NAME.test(name) ? name : null
}

const hostOf = (value: unknown): string | null =>
  typeof value === 'string' && URL.canParse(value) ? nameOf(new URL(value).hostname) : null

/** One-time codes and security keys are there unless they are switched off; Duo is there when it has a host. */
function factors(root: Plain): Pick<EndpointSettings, 'has_second_factor'> {
  const isOff = (key: string): boolean => part(root, key)['disable'] === true
  const duo = part(root, 'duo_api')
  const has_duo = typeof duo['hostname'] === 'string' && duo['disable'] !== true
  return { has_second_factor: !isOff('totp') || !isOff('webauthn') || has_duo }
}

const INTERVAL = /^[a-z0-9 ]{1,32}$/i

/** Its own defaults: sessions in memory, and a users file that is not watched. */
function sessions(root: Plain): SessionSettings {
  const { file, refresh_interval } = part(root, 'authentication_backend')
  const written = typeof refresh_interval === 'number' ? `${refresh_interval} s` : refresh_interval
  return {
    outlive_restarts: isRecord(part(root, 'session')['redis']),
    watches_users: isRecord(file) ? file['watch'] === true : null,
    refresh_interval: typeof written === 'string' && INTERVAL.test(written) ? written : null,
  }
}

function ownRules(root: Plain): OwnRules | null {
  if (!('access_control' in root)) return null
  const { default_policy, rules } = part(root, 'access_control')
  return {
    default_policy: typeof default_policy === 'string' ? default_policy.slice(0, 32) : null,
    rules: Array.isArray(rules) ? rules.length : 0,
  }
}

const part = (map: Plain, key: string): Plain => {
  const value = map[key]
  return isRecord(value) ? value : {}
}

/** Grammars of what the proxy was started with: its version, its entrypoints, its certificate resolver. */
import { Wrong, textual, wrong } from './refine.ts'

export type TraefikVersion = readonly [major: number, minor: number, patch: number]

/** `3.0.0`, `v3.7.1`, `3.7`. */
export const traefikVersion = textual<TraefikVersion>((text) => {
  const match = /^v?(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,4}))?$/.exec(text)
  if (match === null) return wrong('must be a version such as 3.7 or v3.7.1')
  const [major, minor, patch] = match.slice(1).map((part) => Number(part ?? 0))
  return major === 3 ? [3, minor!, patch!] : wrong('must be a 3.x version; other proxies read other files')
})

export const showVersion = (version: TraefikVersion): string => version.join('.')

export interface Entrypoint {
  readonly name: string
  readonly port: number
}

/** Routers of HTTP and HTTPS are rendered on these two. */
const NEEDED = ['web', 'websecure']
const MOST = 100

/** `web=80,websecure=443,ssh=2222`: names and ports are unique, `web` and `websecure` are there. */
export const entrypoints = textual<readonly Entrypoint[]>((text) => {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length > MOST) return wrong(`must have at most ${MOST} entries`)
  const found: Entrypoint[] = []
  for (const part of parts) {
    const entry = parseEntrypoint(part)
    if (entry instanceof Wrong) return entry
    const twin = found.find((other) => other.name === entry.name || other.port === entry.port)
    if (twin !== undefined)
      return wrong(`has "${showEntrypoint(twin)}" and "${part}", which share a name or a port`)
    found.push(entry)
  }
  const missing = NEEDED.filter((name) => !found.some((entry) => entry.name === name))
  return missing.length === 0 ? found : wrong(`must have the entrypoint ${missing.join(' and ')}`)
})

function parseEntrypoint(text: string): Entrypoint | Wrong {
  const match = /^([a-z][a-z0-9-]{0,31})=(\d{1,5})$/.exec(text)
  const port = Number(match?.[2])
  return match === null || port < 1 || port > 65_535
    ? wrong(`has the entry "${text}", which is not name=port such as web=80`)
    : { name: match[1]!, port }
}

const showEntrypoint = ({ name, port }: Entrypoint): string => `${name}=${port}`
export const showEntrypoints = (list: readonly Entrypoint[]): string => list.map(showEntrypoint).join(',')

/** The key under `certificatesResolvers` in the proxy's own configuration. */
export const resolverName = textual((text) =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(text)
    ? text
    : wrong('must be a resolver name of letters, digits, dots, hyphens and underscores'),
)

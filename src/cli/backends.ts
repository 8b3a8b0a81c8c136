/**
 * Whether anybody answers at the backends of a few domains, so that a command says why a name does not answer. It is asked
 * beside what the command is for: a few at once, never for long, and what was not found out is not told.
 */
import { type Milliseconds, systemClock } from '../kernel/clock.ts'
import { withTimeout } from '../kernel/async/with-timeout.ts'
import { unreachedWords } from '../model/domain/unreached.ts'
import { hostPort } from '../model/network/address.ts'
import type { Api } from './api.ts'
import { tellWarnings } from './text/tell-warnings.ts'
import type { Terminal } from './text/terminal.ts'

/** The daemon probes no more at once. */
const AT_ONCE = 4
/** So many are asked about for a look at everything; it probes no more than thirty in a minute. */
const MAX_BACKENDS = 12
const WITHIN_MS: Milliseconds = 2500

export interface BackendOf {
  readonly id: number
  readonly domain: string
}

/** The answer to a GET; what it throws means that it was not found out. */
type Ask = (path: string) => Promise<unknown>

interface Looked extends Readonly<Record<string, unknown>> {
  readonly backend_tcp_reachable?: boolean | null
  readonly backend_transport?: { readonly works: boolean | null; readonly detail: string } | null
  readonly intent: {
    readonly service_type: string
    readonly backend_host: string | null
    readonly backend_port: number | null
  }
}

interface UnreachedOptions {
  readonly within_ms?: Milliseconds
  readonly why?: ((ask: Ask, id: number) => Promise<string | null>) | undefined
}

/** Of each that nobody answers at, what is in the way: `its backend 10.0.0.5:80 refuses connections from here`. */
export async function unreachedAmong<T extends { readonly id: number }>(
  ask: Ask,
  domains: readonly T[],
  { within_ms = WITHIN_MS, why: whyOf = whyUnreached }: UnreachedOptions = {},
): Promise<readonly (T & { readonly why: string })[]> {
  const left = domains.slice(0, MAX_BACKENDS)
  const found: (T & { readonly why: string })[] = []
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const why = await whyOf(ask, one.id)
      if (why !== null) found.push({ ...one, why })
    }
  }
  await withTimeout(
    { clock: systemClock, ms: within_ms },
    () => Promise.all(Array.from({ length: AT_ONCE }, worker)),
    () => left.splice(0),
  )
  return [...found].toSorted((a, b) => a.id - b.id)
}

const lookAt = async (ask: Ask, id: number): Promise<Looked | null> =>
  (await ask(`/api/domains/${id}/effective-config?check_backend=true`).catch(() => null)) as Looked | null

const whyUnreached = async (ask: Ask, id: number): Promise<string | null> =>
  unreachedIn(await lookAt(ask, id))

/** The same, and where somebody answers whom the proxy does not get on with, that. */
export async function whyHindered(ask: Ask, id: number): Promise<string | null> {
  const looked = await lookAt(ask, id)
  return misspokenIn(looked) ?? unreachedIn(looked)
}

/** That alone: whoever deploys has heard already that nobody answers. */
export const whyMisspoken = async (ask: Ask, id: number): Promise<string | null> =>
  misspokenIn(await lookAt(ask, id))

function misspokenIn(looked: Looked | null): string | null {
  const { works, detail } = looked?.backend_transport ?? {}
  if (looked === null || works !== false || detail === undefined) return null
  const { backend_host, backend_port } = looked.intent
  const place = hostPort(backend_host ?? '', backend_port ?? 0)
  return `its backend ${place} cannot be spoken to as the record says. ${detail.replace(/\.$/, '')}`
}

function unreachedIn(looked: Looked | null): string | null {
  // Who says of a domain that it is routed by hand says that nobody is to be looked for here.
  if (looked?.backend_tcp_reachable !== false || looked.intent.service_type === 'manual') return null
  return unreachedWords(looked.intent, String(looked['backend_trouble']))
}

/** Of the running daemon, or of this process. */
export const askOf =
  (api: Api): Ask =>
  async (path) => {
    const { status, body } = await api.call({ method: 'GET', path })
    if (status !== 200) throw new Error(`answered ${status}`)
    return body
  }

/** A warning for each: what is deployed and nobody answers behind it, or somebody who is spoken to in another way. */
export async function tellUnreached(
  api: Api,
  domains: readonly BackendOf[],
  terminal: Terminal,
  why: UnreachedOptions['why'] = whyHindered,
): Promise<void> {
  if (terminal.json || domains.length === 0) return
  const found = await unreachedAmong(askOf(api), domains, { why })
  tellWarnings(
    found.map(({ domain, why }) => `${domain}: ${why}.`),
    terminal,
  )
}

/** The first of those that are live. */
export async function liveDomains(api: Api): Promise<readonly BackendOf[]> {
  const path = `/api/domains?status=active&sort=id&limit=${MAX_BACKENDS}`
  return (await askOf(api)(path).catch(() => [])) as readonly BackendOf[]
}

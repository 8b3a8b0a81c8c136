/** All that the external check asks of the world, put together. */
import { connect, isIP } from 'node:net'
import type { HostPort } from '../../../config/kinds/network.ts'
import { createHttpClient } from '../../../io/http-client/create-client.ts'
import { deadlineSignal } from '../../../kernel/async/deadline.ts'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Secret } from '../../../kernel/secret.ts'
import type { ProbeOutcome } from '../../../model/network/external-check.ts'
import { handshake } from './handshake.ts'
import { ping } from './ping.ts'
import type { Addresses, Probes } from './port.ts'
import { resolveNames } from './resolve.ts'
import { askService, grafana, prometheus } from './service.ts'

export interface ProbeOptions {
  readonly clock: Clock
  readonly hub: HostPort
  readonly prometheus_url: string
  readonly grafana_url: string
  readonly control: readonly HostPort[]
  /** Authorities that are believed (PEM); null for those that are known. */
  readonly ca: string | null
  readonly heartbeat: { readonly url: string; readonly token: Secret } | null
}

const HEARTBEAT_MS: Milliseconds = 3000

export function probesOf({ clock, hub, ca, control, heartbeat, ...urls }: ProbeOptions): Probes {
  let addresses: Addresses = {}
  const http = createHttpClient({
    clock,
    addresses_of: (host) => addresses[host] ?? [],
    ...(ca !== null && { ca }),
  })
  const asked = [urls.prometheus_url, urls.grafana_url, ...(heartbeat === null ? [] : [heartbeat.url])]
  const names = [...new Set([hub.host, ...asked.map((url) => new URL(url).hostname).filter(isName)])]
  return {
    resolve: (signal) => resolveNames(names, signal),
    async probe(name, known, signal) {
      addresses = known
      if (name === 'prometheus') return askService(http, prometheus(urls.prometheus_url), signal)
      if (name === 'grafana') return askService(http, grafana(urls.grafana_url), signal)
      const at = known[hub.host] ?? []
      if (at.length === 0) return UNKNOWN
      return bestOf(at, signal, (address, ends) =>
        name === 'ping'
          ? ping(address, ends)
          : handshake({ address, port: hub.port, name: hub.host, ca }, clock, ends),
      )
    },
    async ownLine(signal, max_ms) {
      if (control.length === 0) return true
      const best = await bestOf(control, signal, (one, ends) =>
        connects(one, { clock, max_ms, signal: ends }),
      )
      return best.passed
    },
    async heartbeat(json, known, signal) {
      if (heartbeat === null) return undefined
      addresses = known
      const { url, token } = heartbeat
      const headers = { authorization: `Bearer ${token.reveal()}` }
      try {
        const { status } = await http.request({
          method: 'POST',
          url,
          headers,
          json,
          signal,
          deadline_ms: HEARTBEAT_MS,
          max_bytes: 64 * 1024,
        })
        return status >= 200 && status < 300 ? null : `was answered with ${status}`
      } catch (error) {
        return error instanceof Failure ? `failed: ${error.message.replace(/\.$/, '')}` : 'was broken off'
      }
    },
    close: () => http.close(),
  }
}

const isName = (host: string): boolean => isIP(host.replace(/^\[(.*)\]$/, '$1')) === 0

const UNKNOWN: ProbeOutcome = {
  passed: false,
  answers: false,
  detail: 'no address is known to ask',
  is_final: false,
}

/** The first that passes, which ends the others; else the one that says most. */
async function bestOf<T>(
  places: readonly T[],
  signal: AbortSignal,
  ask: (place: T, signal: AbortSignal) => Promise<ProbeOutcome>,
): Promise<ProbeOutcome> {
  const passed = new AbortController()
  const ends = AbortSignal.any([signal, passed.signal])
  const first = Promise.withResolvers<ProbeOutcome>()
  const all = Promise.all(
    places.map(async (place) => {
      const outcome = await ask(place, ends)
      if (outcome.passed) first.resolve(outcome)
      return outcome
    }),
  )
  const worst = all.then(
    (outcomes) =>
      outcomes.find(({ answers }) => answers) ?? outcomes.find(({ is_final }) => !is_final) ?? outcomes[0]!,
  )
  try {
    return await Promise.race([first.promise, worst])
  } finally {
    passed.abort()
  }
}

interface Bound {
  readonly clock: Clock
  readonly max_ms: Milliseconds
  readonly signal: AbortSignal
}

async function connects({ host, port }: HostPort, { clock, max_ms, signal }: Bound): Promise<ProbeOutcome> {
  const deadline = deadlineSignal(clock, max_ms)
  const ends = AbortSignal.any([signal, deadline.signal])
  const done = Promise.withResolvers<boolean>()
  const leave = () => done.resolve(false)
  const socket = connect({ host, port })
  socket.once('connect', () => done.resolve(true)).once('error', leave)
  if (ends.aborted) leave()
  ends.addEventListener('abort', leave, { once: true })
  try {
    const passed = await done.promise
    return { passed, answers: passed, detail: `${host}:${port}`, is_final: false }
  } finally {
    ends.removeEventListener('abort', leave)
    deadline.end()
    socket.on('error', () => undefined).destroy()
  }
}

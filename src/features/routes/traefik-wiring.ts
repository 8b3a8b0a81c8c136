/** From settings to the proxy's API: where it is, how we prove who we are, and whose certificate is taken. */
import { readFileSync } from 'node:fs'
import { createHttpClient } from '../../io/http-client/create-client.ts'
import { knownDead } from '../../io/http-client/known-dead.ts'
import { type Credential, traefikApi } from './traefik/traefik-api.ts'
import type { Settings } from '../../config/sections.ts'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { Failure, fieldError } from '../../kernel/failure.ts'
import { Secret } from '../../kernel/secret.ts'
import { Cached } from '../../kernel/async/cached.ts'
import { readTraffic } from './traefik/metrics.ts'
import type { ReadTraffic, SearchableProxy } from './traefik/port.ts'

/** A proxy that is down is asked at most four times a minute. */
const DEAD_EVERY_MS: Milliseconds = 15_000

export interface ProxyLine {
  readonly api: SearchableProxy
  close(): Promise<void>
}

export interface TrafficLine {
  readonly read: ReadTraffic
  close(): Promise<void>
}

/** Somebody who looks at ten domains asks the proxy once. */
const TRAFFIC_KEPT_MS: Milliseconds = 10_000

/** Null where its metrics are not set. */
export function trafficLine({ routes }: Pick<Settings, 'routes'>, clock: Clock): TrafficLine | null {
  const url = routes.traefik_metrics
  if (url === null) return null
  const http = knownDead(createHttpClient({ clock }), { clock, every_ms: DEAD_EVERY_MS, held_up_ms: 0 })
  const ended = new AbortController()
  const counted = new Cached({
    clock,
    // Who asked first may go away; others share the answer.
    ask: () => readTraffic({ url, http, clock }, ended.signal),
    keepFor: () => TRAFFIC_KEPT_MS,
  })
  return {
    read: () => counted.get(),
    close: async () => {
      ended.abort(new Failure('shutting_down', 'The proxy’s metrics are not asked any more.'))
      await http.close()
    },
  }
}

type Traefik = Settings['traefik']

/** Null where no API is set. Throws `bad_configuration` with a line for each fault. */
export function proxyLine({ routes, traefik }: Settings, clock: Clock): ProxyLine | null {
  const url = routes.traefik_api
  const faults = [...faultsOf(url, traefik)]
  const ca = traefik.ca_file === null ? null : readAuthority(traefik.ca_file)
  if (ca instanceof Fault) faults.push(ca)
  if (faults.length > 0) throw badSettings(faults)
  if (url === null) return null
  const client = createHttpClient({
    clock,
    ...(traefik.fingerprint !== null && { pinned_sha256: traefik.fingerprint }),
    ...(typeof ca === 'string' && { ca }),
  })
  const http = knownDead(client, { clock, every_ms: DEAD_EVERY_MS, held_up_ms: 0 })
  const api = traefikApi({ url, http, clock, credential: credentialOf(traefik) })
  return { api, close: () => http.close() }
}

class Fault {
  readonly name: string
  /** The end of a sentence that begins with the name. */
  readonly msg: string

  constructor(name: string, msg: string) {
    this.name = name
    this.msg = msg
  }
}

const named = (last: string): string => `PLUMBLINE_TRAEFIK_API_${last}`
const nameOf = (key: keyof Traefik): string => named(key === 'ca_file' ? 'CA' : key.toUpperCase())

/** Pure: what does not go together. A credential that goes nowhere would be looked for in the proxy for a long time. */
function faultsOf(url: string | null, traefik: Traefik): readonly Fault[] {
  const { user, password, header, fingerprint, ca_file } = traefik
  const given = (Object.keys(traefik) as (keyof Traefik)[]).filter((key) => traefik[key] !== null)
  if (url === null)
    return given.map((key) => new Fault(nameOf(key), 'does nothing without PLUMBLINE_TRAEFIK_API.'))
  const faults: Fault[] = []
  if (user !== null && password === null)
    faults.push(
      new Fault(named('USER'), `needs ${named('PASSWORD')} or ${named('PASSWORD')}_FILE beside it.`),
    )
  if (user === null && password !== null)
    faults.push(new Fault(named('PASSWORD'), `needs ${named('USER')} beside it.`))
  if (user !== null && header !== null && /^authorization:/i.test(header.reveal()))
    faults.push(new Fault(named('HEADER'), `says who we are a second time: ${named('USER')} does.`))
  if (fingerprint !== null && ca_file !== null)
    faults.push(new Fault(named('CA'), `says nothing beside ${named('FINGERPRINT')}: give one of the two.`))
  if (!url.startsWith('https:'))
    for (const key of ['fingerprint', 'ca_file'] as const)
      if (traefik[key] !== null) faults.push(new Fault(nameOf(key), 'is only for an https:// address.'))
  return faults
}

function readAuthority(file: string): string | Fault {
  try {
    const text = readFileSync(file, 'utf8')
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text
    return new Fault(named('CA'), `names ${file}, which holds no certificate in PEM form.`)
  } catch (cause) {
    return new Fault(
      named('CA'),
      `names ${file}, which cannot be read (${(cause as { code?: string }).code}).`,
    )
  }
}

const badSettings = (faults: readonly Fault[]): Failure =>
  new Failure('bad_configuration', faults.map(({ name, msg }) => `${name} ${msg}`).join('\n'), {
    errors: faults.map(({ name, msg }) => fieldError([name], msg, 'config')),
  })

function credentialOf({ user, password, header }: Traefik): readonly Credential[] {
  const basic = user === null || password === null ? [] : [basicAuth(user, password)]
  if (header === null) return basic
  const [, name = '', value = ''] = /^([^:]+): *(.*)$/s.exec(header.reveal()) ?? []
  return [...basic, { name: name.toLowerCase(), value: new Secret(value) }]
}

/** RFC 7617. */
const basicAuth = (user: string, password: Secret): Credential => ({
  name: 'authorization',
  value: new Secret(`Basic ${Buffer.from(`${user}:${password.reveal()}`, 'utf8').toString('base64')}`),
})

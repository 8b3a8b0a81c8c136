/** A house with rules to keep, their provider, and a proxy on real sockets that serves what the routes file says. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { movedClock } from '../kit/moved-clock.ts'
import type { EntrypointPlan } from '../fakes/traefik/static.ts'
import { type ProvenProxy, startProvenProxy } from './proven-proxy.ts'
import { openSsoHouse, type SsoHouse } from './sso-house.ts'

export interface Proven {
  readonly at: SsoHouse
  readonly proxy: ProvenProxy
  /** Lets time pass, and nobody looks for it. */
  readonly pass: (ms: number) => void
  /** Lets ten seconds pass and looks again. */
  readonly look: () => Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface ProvenOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly policies?: string
  /** Whether plain http is asked too. */
  readonly plain?: boolean
  /** Of the proxy. */
  readonly entrypoints?: readonly EntrypointPlan[]
  /** Of the proxy: the least time between two configurations. */
  readonly throttle_ms?: number
  /** Whether the proxy's API is set. */
  readonly api?: boolean
  /** Whether the daemon looks by itself. Default false. */
  readonly opened?: boolean
}

export async function openProven(options: ProvenOptions = {}): Promise<Proven> {
  const clock = movedClock()
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-proof-'))
  let authelia = ''
  const routes = join(directory, 'traefik', 'routes.yml')
  const proxy = await startProvenProxy({
    routes,
    authelia: () => authelia,
    ...(options.entrypoints !== undefined && { entrypoints: options.entrypoints }),
    ...(options.throttle_ms !== undefined && { throttle_ms: options.throttle_ms }),
  })
  const at = await openSsoHouse({
    opened: options.opened ?? false,
    directory,
    clock,
    wrap: {},
    ...(options.policies !== undefined && { policies: options.policies }),
    env: {
      PLUMBLINE_SSO_PROBE: proxy.address,
      ...(options.plain === true && { PLUMBLINE_SSO_PROBE_HTTP: proxy.plain_address }),
      ...(options.api === true && { PLUMBLINE_TRAEFIK_API: proxy.traefik.origin }),
      ...options.env,
    },
  })
  authelia = at.authelia.url
  return {
    at,
    proxy,
    pass: (ms) => clock.pass(ms),
    async look() {
      clock.pass(10_000)
      await at.house.engine.converge('open', { records: 'all', component: 'sso-proof' })
    },
    [Symbol.asyncDispose]: async () => {
      await at[Symbol.asyncDispose]()
      await proxy.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export const report = async ({ call }: SsoHouse) => (await call('GET', '/api/sso/drift')).body

/** One house that keeps all five worlds true, each with its real server or its strict stand-in, and every way to ask it. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ExplainedDifference } from '../../src/model/drift.ts'
import type { HealthAnswer, PresentedComponent } from '../../src/features/health/read-health.ts'
import { type FakeAuthelia, startAuthelia } from '../fakes/sso/authelia.ts'
import { type FakeTraefik, startFakeTraefik } from '../fakes/traefik/traefik.ts'
import { ED25519 } from '../model/ssh/keys.ts'
import { type CertificatesWorld, startWorld } from './certificates-world.ts'
import type { Client } from './client.ts'
import { run } from './command.ts'
import { type CuttingProxy, cuttingProxy } from './cutting-proxy.ts'
import { passingClock } from './passing-clock.ts'
import { type PeopleWorld, peopleWorld } from './people-world.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import type { DriftAnswer } from '../../src/features/explain/read-drift.ts'

export const ZONE = 'example.com'
/** Public, behind single sign-on. */
export const APP = `app.${ZONE}`
/** Served internally, with a certificate of our own. */
export const INNER = `inner.${ZONE}`
export const PERSON = 'jo'
export const CLIENT = 'laptop'
const ADDRESS = '203.0.113.10'

export interface Worlds {
  readonly at: TestHouse
  readonly call: Client
  readonly certificates: CertificatesWorld
  readonly authelia: FakeAuthelia
  readonly traefik: FakeTraefik
  readonly people: PeopleWorld
  readonly app_id: number
  readonly inner_id: number
  readonly paths: Paths
  /** The provider's API goes away, and comes back. */
  cutDns(): Promise<void>
  mendDns(): Promise<void>
  /** Wakes every key, too. */
  setMode(mode: 'observe' | 'repair'): Promise<void>
  /** The real command beside this house. */
  command(...words: readonly string[]): Promise<{ readonly code: number | null; readonly json: unknown }>
  /** Past the time in which the same thing put back three times is a fight. */
  calmDown(): void
  stop(): Promise<void>
}

interface Paths {
  readonly routes: string
  readonly rules: string
  readonly users: string
  readonly keys: string
  readonly certificates: string
  readonly certificates_file: string
}

export async function openWorlds(): Promise<Worlds> {
  const certificates = await startWorld([ZONE])
  const traefik = await startFakeTraefik()
  const people = await peopleWorld()
  const folder = join(people.users_path, '..', '..')
  const rules = join(folder, 'rules', 'access-control.yml')
  const keys = join(folder, 'keys', 'authorized_keys')
  mkdirSync(join(keys, '..'))
  const authelia = await startAuthelia(rules)
  let way: CuttingProxy | null = await cuttingProxy(certificates.dns.tcp_port)
  const { port } = way
  const clock = passingClock()
  const at = await openTestHouse({
    clock,
    env: {
      ...certificates.env,
      ...certificates.dns.through(port),
      ...people.env,
      PLUMBLINE_DNS_ZONES: ZONE,
      PLUMBLINE_PUBLIC_IP: ADDRESS,
      PLUMBLINE_TRAEFIK_API: traefik.origin,
      PLUMBLINE_SSO_RULES_FILE: rules,
      PLUMBLINE_SSO_URL: authelia.url,
      PLUMBLINE_SSO_RESTART: authelia.restart_setting,
      PLUMBLINE_SSO_RESTART_GAP: '0',
      PLUMBLINE_AUTHORIZED_KEYS: keys,
    },
  })
  traefik.follow(at.house.routes_path)
  const { call } = at
  const app_id = await createActive(call, { domain: APP })
  const inner_id = await createActive(call, { domain: INNER, service_type: 'internal', auth_required: false })
  await good(call, 'POST', '/api/users/invite', {
    username: PERSON,
    display_name: 'Jo',
    email: 'jo@example.net',
    groups: ['family'],
  })
  await good(call, 'POST', '/api/ssh-clients', { public_key: ED25519, name: CLIENT })
  return {
    at,
    call,
    calmDown: () => clock.pass(61 * 60_000),
    certificates,
    authelia,
    traefik,
    people,
    app_id,
    inner_id,
    paths: {
      routes: at.house.routes_path,
      rules,
      users: people.users_path,
      keys,
      certificates: join(at.directory, 'certificates'),
      certificates_file: join(at.directory, 'traefik', 'certificates.yml'),
    },
    async cutDns() {
      await way?.close()
      way = null
    },
    async mendDns() {
      way ??= await cuttingProxy(certificates.dns.tcp_port, port)
    },
    setMode: (mode) => good(call, 'PUT', '/api/modes/*', { mode, reason: 'five worlds' }),
    async command(...words) {
      const ran = await run([...words, '--json'], {
        PLUMBLINE_DATA_DIR: at.directory,
        API_KEY: at.house.key.reveal(),
      })
      return { code: ran.code, json: parsed(ran.out, ran.err) }
    },
    async stop() {
      await at[Symbol.asyncDispose]()
      await way?.close()
      await authelia.stop()
      await traefik.stop()
      await people[Symbol.asyncDispose]()
      await certificates.stop()
    },
  }
}

export async function good(call: Client, method: string, path: string, body?: object): Promise<void> {
  const answer = await call(method, path, body === undefined ? {} : { body })
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
}

function parsed(out: string, err: string): unknown {
  try {
    return JSON.parse(out)
  } catch {
    throw new Error(`no JSON: ${out}${err}`)
  }
}

/** What one place says of one item: does its part drift, and why. */
export interface Said {
  readonly drift: boolean | null
  /** Null where the item does not differ. */
  readonly cause: string | null
}

export const saidOf = (
  part: { readonly drift: boolean | null; readonly differences: readonly Differing[] } | undefined,
  item: string,
): Said => ({
  drift: part === undefined ? false : part.drift,
  cause: part?.differences.find((one) => one.item === item)?.cause ?? null,
})

type Differing = Pick<ExplainedDifference, 'item'> & { readonly cause: string }

export const inHealth = ({ components }: HealthAnswer, key: string): PresentedComponent | undefined =>
  components.find(({ name }) => name === key)

export const inDrift = ({ components }: DriftAnswer, key: string) =>
  components.find((component) => component.key === key)

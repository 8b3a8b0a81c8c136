/** Every way to ask how an item of a world is: its own endpoint, the health page, and the command. */
import { expect } from 'vitest'
import type { CertificatesAnswer } from '../../src/features/certificates/managed/read-certificates.ts'
import type { RecordsAnswer } from '../../src/features/dns/records/read-records.ts'
import type { RoutesDrift } from '../../src/features/domains/read-drift.ts'
import type { HealthAnswer } from '../../src/features/health/read-health.ts'
import type { UserView } from '../../src/features/people/view.ts'
import type { SsoDrift } from '../../src/features/sso/read-drift.ts'
import type { SsoList } from '../../src/features/sso/report.ts'
import { APP, inDrift, INNER, inHealth, type Said, saidOf, type Worlds, ZONE } from './five-worlds-house.ts'
import type { ClientsAnswer } from '../../src/features/ssh-clients/views.ts'
import type { DriftAnswer } from '../../src/features/explain/read-drift.ts'
import type { DeployStatusAnswer } from '../../src/features/routes/views.ts'

export const get = async <T>({ call }: Worlds, path: string): Promise<T> => {
  const { status, body } = await call('GET', path)
  expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200)
  return body as unknown as T
}

/** The lists that tell of the rules file. */
const OF_RULES: readonly SsoList[] = ['missing_rule', 'extra_rule', 'weaker_policy', 'not_loaded']

/** How each world tells of itself. */
export interface World {
  /** In health, and in `plumbline drift`. */
  readonly key: (worlds: Worlds) => string
  /** Its own endpoint. */
  readonly own: (worlds: Worlds, item: string) => Promise<Said>
}

export const WORLDS = {
  routes: {
    key: () => 'routes',
    async own(w, item) {
      const answer = await get<RoutesDrift>(w, '/api/domains/drift')
      const { drift, disk_checksum, released_checksum } = answer
      // Its drift is, as specified, between file and saved state; that it is not what was released, its checksums say.
      return saidOf({ ...answer, drift: drift === false ? disk_checksum !== released_checksum : drift }, item)
    },
  },
  proxy: {
    key: () => 'proxy',
    async own(w) {
      const { drift, cause } = await get<DeployStatusAnswer>(w, '/api/deploy/status')
      return { drift, cause }
    },
  },
  dns: {
    key: () => `dns:${ZONE}`,
    async own(w, item) {
      const answer = await get<RecordsAnswer>(w, '/api/dns/records')
      const record = answer.records.find(({ managed_type, name }) => `${managed_type} ${name}` === item)
      const said = saidOf(answer, item)
      if (answer.drift !== null) expect(record?.cause).toBe(said.cause)
      return said
    },
  },
  certificate: {
    key: () => `cert:${INNER}`,
    async own(w) {
      const { certificates } = await get<CertificatesAnswer>(w, '/api/certificates')
      const listed = certificates.find(({ name }) => name === INNER)
      const { drift, cause } = await get<Said>(w, `/api/domains/${w.inner_id}/cert`)
      if (listed !== undefined) expect({ drift: listed.drift, cause: listed.cause }).toEqual({ drift, cause })
      return { drift, cause }
    },
  },
  certificates_file: {
    key: () => 'certificates-file',
    own: async (w, item) => saidOf(await get<CertificatesAnswer>(w, '/api/certificates'), item),
  },
  rules: {
    key: () => 'sso',
    async own(w, item) {
      const answer = await get<SsoDrift>(w, '/api/sso/drift')
      const name = item === w.paths.rules ? APP : item
      const causes = OF_RULES.flatMap((list) => answer[list])
        .filter(({ domain }) => domain === name)
        .map(({ cause }) => cause)
      // One item, one cause, whichever lists it is on.
      expect(new Set(causes).size).toBeLessThan(2)
      return { drift: answer.drift, cause: causes[0] ?? null }
    },
  },
  people: {
    key: () => 'people',
    async own(w, item) {
      const users = await get<readonly UserView[]>(w, '/api/users')
      const { drift, cause } = users.find(({ username }) => `user ${username}` === item)!
      return { drift, cause }
    },
  },
  ssh: {
    key: () => 'ssh-gateway',
    async own(w, item) {
      const answer = await get<ClientsAnswer>(w, '/api/ssh-clients')
      const client = answer.clients.find(({ fingerprint, name }) => `${fingerprint} ${name}` === item)
      if (client !== undefined && answer.drift !== null) expect(client.cause).toBe(saidOf(answer, item).cause)
      return saidOf(answer, item)
    },
  },
} as const satisfies Record<string, World>

export const health = (worlds: Worlds, probe: boolean): Promise<HealthAnswer> =>
  get(worlds, `/api/control-plane/health${probe ? '?probe=true' : ''}`)

/** Everybody whom one can ask, each with what they say of the item. */
export async function everybody(worlds: Worlds, world: World, item: string) {
  const key = world.key(worlds)
  const [drift, status] = await Promise.all([worlds.command('drift'), worlds.command('status')])
  const page = (status.json as { readonly health: HealthAnswer }).health
  return {
    said: {
      own: await world.own(worlds, item),
      probed: saidOf(inHealth(await health(worlds, true), key), item),
      health: saidOf(inHealth(await health(worlds, false), key), item),
      drift: saidOf(inDrift(drift.json as DriftAnswer, key), item),
      status: saidOf(inHealth(page, key), item),
    },
    codes: { drift: drift.code, status: status.code },
  }
}

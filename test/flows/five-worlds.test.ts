/** A drift made by hand in any of the five worlds is told everywhere with the same cause, and mended without anybody's help. */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { DriftCause } from '../../src/model/drift.ts'
import type { CertificatesAnswer } from '../../src/operations/certificates/read-certificates.ts'
import type { DeployStatusAnswer } from '../../src/operations/deploy/deploy-status.ts'
import type { RecordsAnswer } from '../../src/operations/dns/read-records.ts'
import type { RoutesDrift } from '../../src/operations/domains/read-drift.ts'
import type { HealthAnswer } from '../../src/operations/health/read-health.ts'
import type { UserView } from '../../src/operations/people/view.ts'
import type { DriftAnswer } from '../../src/operations/read-drift.ts'
import type { ClientsAnswer } from '../../src/operations/ssh-clients/read.ts'
import type { SsoDrift } from '../../src/operations/sso/read-drift.ts'
import type { SsoList } from '../../src/operations/sso/report.ts'
import { html } from '../fakes/dns/faults.ts'
import { P256, SAID as KEYS } from '../model/ssh/keys.ts'
import { describePeers } from '../peers/peers.ts'
import { CERTIFICATE_PROGRAMS } from './certificates-world.ts'
import {
  APP,
  CLIENT,
  good,
  inDrift,
  INNER,
  inHealth,
  openWorlds,
  PERSON,
  type Said,
  saidOf,
  type Worlds,
  ZONE,
} from './five-worlds-house.ts'
import { OWNER } from './people-world.ts'

const WITHIN = { timeout: 15_000, interval: 100 }

const get = async <T>({ call }: Worlds, path: string): Promise<T> => {
  const { status, body } = await call('GET', path)
  expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200)
  return body as unknown as T
}

/** The lists that tell of the rules file. */
const OF_RULES: readonly SsoList[] = ['missing_rule', 'extra_rule', 'weaker_policy', 'not_loaded']

/** How each world tells of itself. */
interface World {
  /** In health, and in `plumbline drift`. */
  readonly key: (worlds: Worlds) => string
  /** Its own endpoint. */
  readonly own: (worlds: Worlds, item: string) => Promise<Said>
}

const WORLDS = {
  routes: {
    key: () => 'routes',
    own: async (w, item) => saidOf(await get<RoutesDrift>(w, '/api/domains/drift'), item),
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

interface Case {
  readonly title: string
  readonly world: keyof typeof WORLDS
  readonly item: (worlds: Worlds) => string
  readonly cause: DriftCause
  readonly spoil: (worlds: Worlds) => void | Promise<void>
  /** What only a person can do. Left out: the reconciler mends it alone. */
  readonly mend?: (worlds: Worlds) => Promise<void>
}

const rewrite = (path: string, change: (text: string) => string): void => {
  const text = readFileSync(path, 'utf8')
  const changed = change(text)
  expect(changed).not.toBe(text)
  writeFileSync(path, changed)
}

/** The files of the certificate that is installed. */
const filesOf = ({ paths }: Worlds, ending: RegExp): readonly string[] => {
  const folder = join(paths.certificates, INNER)
  return readdirSync(folder)
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file))
}

const put = (fields: object) => (w: Worlds) => good(w.call, 'PUT', `/api/domains/${w.app_id}`, fields)
const deploy = (w: Worlds) => good(w.call, 'POST', `/api/domains/${w.app_id}/deploy`)
/** What was saved is taken back. */
const takeBack = (fields: object) => async (w: Worlds) => {
  await put(fields)(w)
  await deploy(w)
}
const RECORD = { name: APP, type: 'A' } as const
const STRANGER = { ...RECORD, ttl: 60, values: ['198.51.100.66'], proxied: null, comment: null }
const ROUTER = `http.routers.plumbline-site_${APP}`
const SERVICE = `http.services.plumbline-site_${APP}`
const RULE = `    - domain: "${APP}"\n      policy: "one_factor"\n`
const clientItem = () => `${KEYS.ED25519[2]} ${CLIENT}`
const inRouter = (text: string, change: (block: string) => string): string =>
  text.replace(/( {4}"plumbline-site_app[.]example[.]com":\n)((?: {6}.*\n)*)/, (block) => change(block))

const CASES: readonly Case[] = [
  {
    title: 'a route is edited',
    world: 'routes',
    item: () => ROUTER,
    cause: 'edited',
    spoil: ({ paths }) =>
      rewrite(paths.routes, (text) => inRouter(text, (block) => block.replace('1000', '7'))),
  },
  {
    title: 'a route is taken out',
    world: 'routes',
    item: () => ROUTER,
    cause: 'lost',
    spoil: ({ paths }) => rewrite(paths.routes, (text) => inRouter(text, () => '')),
  },
  {
    title: 'the routes file is gone',
    world: 'routes',
    item: ({ paths }) => paths.routes,
    cause: 'lost',
    spoil: ({ paths }) => rmSync(paths.routes),
  },
  {
    title: 'the routes file is garbage',
    world: 'routes',
    item: ({ paths }) => paths.routes,
    cause: 'edited',
    spoil: ({ paths }) => writeFileSync(paths.routes, '\u0000\u0001 [{'),
  },
  {
    title: 'a folder stands in the place of the routes file',
    world: 'routes',
    item: ({ paths }) => paths.routes,
    cause: 'edited',
    spoil({ paths }) {
      rmSync(paths.routes)
      mkdirSync(paths.routes)
    },
    mend: ({ paths }) => Promise.resolve(rmSync(paths.routes, { recursive: true, force: true })),
  },
  {
    title: 'an edit is saved',
    world: 'routes',
    item: () => SERVICE,
    cause: 'pending_deploy',
    spoil: put({ backend_port: 3001 }),
    mend: deploy,
  },
  {
    title: 'an edit is saved, and the route is edited by hand',
    world: 'routes',
    item: () => SERVICE,
    cause: 'edited_and_pending',
    async spoil(worlds) {
      await put({ backend_port: 3002 })(worlds)
      rewrite(worlds.paths.routes, (text) => text.replace(':3001"', ':6666"'))
    },
    mend: deploy,
  },
  {
    title: 'an edit is saved, and somebody has brought it into the file already',
    world: 'routes',
    item: () => SERVICE,
    cause: 'applied_unrecorded',
    async spoil(worlds) {
      await put({ backend_port: 8080 })(worlds)
      const { yaml } = await post<{ readonly yaml: string }>(worlds, '/api/domains/render')
      writeFileSync(worlds.paths.routes, yaml)
    },
    mend: deploy,
  },
  {
    title: 'the proxy has not loaded the file',
    world: 'proxy',
    item: () => 'routes',
    cause: 'not_loaded',
    spoil({ traefik }) {
      traefik.refuse(() => true)
      traefik.restart(new Date())
    },
    mend({ traefik }) {
      traefik.refuse(() => false)
      traefik.restart(new Date())
      return Promise.resolve()
    },
  },
  {
    title: 'a DNS record is edited',
    world: 'dns',
    item: () => `A ${APP}`,
    cause: 'edited',
    spoil: ({ certificates }) => certificates.dns.put(ZONE, STRANGER),
  },
  {
    title: 'a DNS record is taken away',
    world: 'dns',
    item: () => `A ${APP}`,
    cause: 'lost',
    spoil: ({ certificates }) => certificates.dns.take(ZONE, RECORD),
  },
  {
    title: 'a DNS record makes room for a stranger’s',
    world: 'dns',
    item: () => `A ${APP}`,
    cause: 'foreign_owner',
    async spoil({ certificates }) {
      await certificates.dns.take(ZONE, RECORD)
      await certificates.dns.put(ZONE, STRANGER)
    },
    mend: ({ certificates }) => certificates.dns.take(ZONE, RECORD),
  },
  {
    title: 'another address is saved',
    world: 'dns',
    item: () => `A ${APP}`,
    cause: 'pending_deploy',
    spoil: put({ static_ip: '203.0.113.77' }),
    mend: takeBack({ static_ip: null }),
  },
  {
    title: 'the key of a certificate is gone',
    world: 'certificate',
    item: () => INNER,
    cause: 'lost',
    spoil: (worlds) => filesOf(worlds, /key[.]pem$/).forEach((file) => rmSync(file)),
  },
  {
    title: 'a certificate is another one',
    world: 'certificate',
    item: () => INNER,
    cause: 'edited',
    spoil: (worlds) =>
      filesOf(worlds, /chain[.]pem$/).forEach((file) => writeFileSync(file, 'no certificate')),
  },
  {
    title: 'the certificates file is edited',
    world: 'certificates_file',
    item: ({ paths }) => paths.certificates_file,
    cause: 'edited',
    spoil: ({ paths }) => appendFileSync(paths.certificates_file, '# mine\n'),
  },
  {
    title: 'the certificates file is gone',
    world: 'certificates_file',
    item: ({ paths }) => paths.certificates_file,
    cause: 'lost',
    spoil: ({ paths }) => rmSync(paths.certificates_file),
  },
  {
    title: 'an access rule is taken out',
    world: 'rules',
    item: () => APP,
    cause: 'lost',
    spoil: ({ paths }) => rewrite(paths.rules, (text) => text.replace(RULE, '')),
  },
  {
    title: 'an access rule is weakened',
    world: 'rules',
    item: () => APP,
    cause: 'edited',
    spoil: ({ paths }) => rewrite(paths.rules, (text) => text.replace('one_factor', 'bypass')),
  },
  {
    title: 'the rules file is gone',
    world: 'rules',
    item: ({ paths }) => paths.rules,
    cause: 'lost',
    spoil: ({ paths }) => rmSync(paths.rules),
  },
  {
    title: 'the rules file is garbage',
    world: 'rules',
    item: ({ paths }) => paths.rules,
    cause: 'edited',
    spoil: ({ paths }) => writeFileSync(paths.rules, 'access_control: ['),
  },
  {
    title: 'the provider was started before the rules were written',
    world: 'rules',
    item: ({ paths }) => paths.rules,
    cause: 'not_loaded',
    spoil: ({ paths }) => writeFileSync(paths.rules, readFileSync(paths.rules)),
  },
  {
    title: 'a domain is saved as open to everybody',
    world: 'rules',
    item: () => APP,
    cause: 'pending_deploy',
    spoil: put({ auth_required: false }),
    mend: takeBack({ auth_required: true }),
  },
  {
    title: 'a domain is saved as open, and somebody has taken its rule out already',
    world: 'rules',
    item: () => APP,
    cause: 'applied_unrecorded',
    async spoil(worlds) {
      await put({ auth_required: false })(worlds)
      rewrite(worlds.paths.rules, (text) => text.replace(RULE, ''))
    },
    mend: takeBack({ auth_required: true }),
  },
  {
    title: 'a person is taken out of the users file',
    world: 'people',
    item: () => `user ${PERSON}`,
    cause: 'lost',
    spoil: ({ people }) => people.write(OWNER),
  },
  {
    title: 'a person is given other groups',
    world: 'people',
    item: () => `user ${PERSON}`,
    cause: 'edited',
    spoil: ({ paths }) => rewrite(paths.users, (text) => text.replace('family', 'admins')),
  },
  {
    title: 'the keys of the gateway are gone',
    world: 'ssh',
    item: clientItem,
    cause: 'lost',
    spoil: ({ paths }) => rmSync(paths.keys),
  },
  {
    title: 'what a key may do is edited',
    world: 'ssh',
    item: clientItem,
    cause: 'edited',
    spoil: ({ paths }) => rewrite(paths.keys, (text) => text.replace('restrict,', '')),
  },
  {
    title: 'a stranger’s key is put between ours',
    world: 'ssh',
    item: () => `${KEYS.P256[2]} mallory`,
    cause: 'edited',
    spoil: ({ paths }) =>
      rewrite(paths.keys, (text) => text.replace('# plumbline:end', `${P256} mallory\n$&`)),
  },
  {
    title: 'the end of our keys is taken away',
    world: 'ssh',
    item: ({ paths }) => paths.keys,
    cause: 'foreign_owner',
    spoil: ({ paths }) => rewrite(paths.keys, (text) => text.replace(/# plumbline:end.*\n/, '')),
    mend: ({ paths }) => Promise.resolve(rmSync(paths.keys, { force: true })),
  },
]

/** What keeps a world from being read; it is put there, and taken away again. */
interface Blindness {
  readonly title: string
  readonly world: keyof typeof WORLDS
  readonly blind: (worlds: Worlds) => void | Promise<void>
  readonly restore: (worlds: Worlds) => void | Promise<void>
  /** A file in which nobody may have written meanwhile. */
  readonly untouched: (worlds: Worlds) => string | null
}

const IN_THE_WAY = 'somebody has put this here'

/** A file stands where the folder was: nothing below it can be read, whoever reads. */
const folderless = (
  title: string,
  world: keyof typeof WORLDS,
  folderOf: (paths: Worlds['paths']) => string,
): Blindness => ({
  title,
  world,
  blind({ paths }) {
    renameSync(folderOf(paths), `${folderOf(paths)}.away`)
    writeFileSync(folderOf(paths), IN_THE_WAY)
  },
  restore({ paths }) {
    rmSync(folderOf(paths))
    renameSync(`${folderOf(paths)}.away`, folderOf(paths))
  },
  untouched: ({ paths }) => folderOf(paths),
})

const NO_ROUTES = folderless('the folder of the routes file is a file', 'routes', ({ routes }) =>
  dirname(routes),
)

let users_before = ''

const BLIND: readonly Blindness[] = [
  {
    ...NO_ROUTES,
    // A proxy whose folder has gone keeps what it runs.
    blind(worlds) {
      worlds.traefik.stopWatching()
      return NO_ROUTES.blind(worlds)
    },
    async restore(worlds) {
      await NO_ROUTES.restore(worlds)
      worlds.traefik.restart(new Date())
    },
  },
  {
    title: 'the proxy answers nobody',
    world: 'proxy',
    blind: ({ traefik }) => traefik.misbehave(html(502), { times: Infinity }),
    restore: ({ traefik }) => traefik.behave(),
    untouched: () => null,
  },
  {
    title: 'the DNS provider answers nobody',
    world: 'dns',
    blind: (worlds) => worlds.cutDns(),
    restore: (worlds) => worlds.mendDns(),
    untouched: () => null,
  },
  folderless('the folder of certificates is a file', 'certificate', ({ certificates }) => certificates),
  folderless('the folder of the rules file is a file', 'rules', ({ rules }) => dirname(rules)),
  {
    title: 'the users file is garbage',
    world: 'people',
    blind({ people }) {
      users_before = people.text()
      people.write(IN_THE_WAY)
    },
    restore: ({ people }) => people.write(users_before),
    untouched: ({ paths }) => paths.users,
  },
  folderless('the folder of the users file is a file', 'people', ({ users }) => dirname(users)),
  folderless('the folder of the gateway’s keys is a file', 'ssh', ({ keys }) => dirname(keys)),
]

async function post<T>({ call }: Worlds, path: string): Promise<T> {
  const { status, body } = await call('POST', path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as unknown as T
}

const health = (worlds: Worlds, probe: boolean): Promise<HealthAnswer> =>
  get(worlds, `/api/control-plane/health${probe ? '?probe=true' : ''}`)

/** Everybody whom one can ask, each with what he says of the item. */
async function everybody(worlds: Worlds, world: World, item: string) {
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

const unanimous = (said: Said) => ({ own: said, probed: said, health: said, drift: said, status: said })

/** By what the engine's own look, or the last round, has found. */
const seen = async (worlds: Worlds, world: World, item: string): Promise<Said> => {
  const key = world.key(worlds)
  return saidOf(inHealth(await health(worlds, key === 'proxy'), key), item)
}

async function expectClean(worlds: Worlds): Promise<void> {
  const bad = async () => {
    const { components } = await health(worlds, true)
    return components.filter(({ ok }) => !ok).map(({ name, message }) => `${name}: ${message}`)
  }
  await expect.poll(bad, { timeout: 30_000, interval: 100 }).toEqual([])
  await expect.poll(async () => (await health(worlds, false)).ok, WITHIN).toBe(true)
  expect(await get<DriftAnswer>(worlds, '/api/drift')).toMatchObject({ drift: false })
}

describePeers(CERTIFICATE_PROGRAMS, 'five worlds', () => {
  let worlds: Worlds
  beforeAll(async () => {
    worlds = await openWorlds()
  }, 60_000)
  afterAll(() => worlds.stop())

  it.each(CASES)('$title: $cause, says everybody', { timeout: 60_000 }, async (one) => {
    const world: World = WORLDS[one.world]
    const item = one.item(worlds)
    await worlds.setMode('observe')
    await one.spoil(worlds)
    // Wakes every key: what is looked at by the calendar alone is looked at now.
    await worlds.setMode('observe')
    const expected: Said = { drift: true, cause: one.cause }
    await expect.poll(() => seen(worlds, world, item), WITHIN).toEqual(expected)
    expect(await everybody(worlds, world, item)).toEqual({
      said: unanimous(expected),
      codes: { drift: 2, status: 2 },
    })

    await one.mend?.(worlds)
    await worlds.setMode('repair')
    await expectClean(worlds)
    expect(await world.own(worlds, item)).toEqual({ drift: false, cause: null })
  })

  it.each(BLIND)(
    '$title: unknown, says everybody, and nothing is written',
    { timeout: 60_000 },
    async (one) => {
      const world: World = WORLDS[one.world]
      await worlds.setMode('repair')
      await one.blind(worlds)
      let is_blind = true
      const restore = async () => {
        if (is_blind) await one.restore(worlds)
        is_blind = false
      }
      // The next one has the same house.
      onTestFinished(restore)
      await worlds.setMode('repair')
      const expected: Said = { drift: null, cause: null }
      const item = one.world === 'people' ? `user ${PERSON}` : '-'
      await expect.poll(() => seen(worlds, world, item), WITHIN).toEqual(expected)
      expect(await everybody(worlds, world, item)).toEqual({
        said: unanimous(expected),
        codes: { drift: 3, status: 3 },
      })
      const path = one.untouched(worlds)
      if (path !== null) expect(readFileSync(path, 'utf8')).toBe(IN_THE_WAY)
      await restore()
      await expectClean(worlds)
    },
  )
})

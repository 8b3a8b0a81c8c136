/** `plumbline quickstart` as a new user meets it: a real process, started twice, over houses that are fresh, edited and somebody else's. */
import { execFileSync } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadConfig } from '../../src/settings-wiring.ts'
import { buildDaemon } from '../../src/build-daemon.ts'
import { Failure } from '../../src/kernel/failure.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { quickstart } from '../../src/quickstart.ts'
import { surroundingsOf } from '../../src/surroundings.ts'
import { type Ran, run, type Running, runProcess, start } from './command.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

let directory: string
let env: Record<string, string>
let running: Running | null = null
/** The only resolver that the daemon knows. */
let resolver: Socket
let questions: number

beforeEach(async () => {
  directory = join(newFolder('quickstart'), "it's data")
  questions = 0
  resolver = createSocket('udp4', () => void questions++)
  await new Promise<void>((resolve) => resolver.bind(0, '127.0.0.1', resolve))
  env = {
    PLUMBLINE_DATA_DIR: directory,
    PLUMBLINE_LISTEN: '127.0.0.1:0',
    PLUMBLINE_DNS_RESOLVERS: `127.0.0.1:${resolver.address().port}`,
  }
})
afterEach(async () => {
  await running?.stop('SIGKILL')
  running = null
  resolver.close()
  rmSync(join(directory, '..'), { recursive: true, force: true })
})

async function begun(): Promise<Running> {
  running = start(['quickstart'], env)
  await running.saw('Ctrl-C stops it.')
  return running
}

const told = async (words: readonly string[]): Promise<Ran> => run(words, env)
/** Without a daemon: this process calls itself. */
async function call(method: 'GET' | 'DELETE', path: string): Promise<unknown> {
  const api = await surroundingsOf({ ...env }).api({ url: undefined, found: false })
  try {
    return (await api.call({ method, path })).body
  } finally {
    await api.close()
  }
}

itInDepth(
  'a fresh house is green at once, and nobody is asked about zones that no name server is known to serve',
  async () => {
    const quickstart = await begun()
    const status = await told(['status'])
    expect(status, status.out).toMatchObject({ code: 0 })
    expect(status.out).toMatch(/^not set up: .*dns_integrity/m)
    expect((await told(['drift'])).code).toBe(0)
    expect(questions).toBe(0)
    const { code, out } = await quickstart.stop('SIGINT')
    expect(code).toBe(130)
    // Pasted into a shell, each of these is one word.
    const quoted = `'${directory.replace("'", String.raw`'\''`)}/`
    expect(out).toContain(`API key       ${quoted}api-key'`)
    expect(out).toContain(`>> ${quoted}traefik/routes.yml'`)
    const command = join(process.cwd(), 'src', 'plumbline')
    const where = `PLUMBLINE_DATA_DIR=${quoted.slice(0, -1)}'`
    expect(out).toContain(`${where} PLUMBLINE_LISTEN=127.0.0.1:0 ${command} serve\n`)
    // As it is printed, from any folder.
    const [printed = ''] = /^ {4}PLUMBLINE_DATA_DIR=.* domains$/m.exec(out) ?? []
    expect(printed.trim()).toBe(`${where} ${command} domains`)
    const shown = execFileSync('sh', ['-c', printed], { cwd: '/', env: { PATH: process.env['PATH'] } })
    expect(shown.toString()).toContain('wiki.home.example')
  },
)

itInDepth('a second one keeps what was edited and deleted, and what came beside', async () => {
  await (await begun()).stop('SIGINT')
  const document = join(directory, 'estate.yaml')
  writeFileSync(
    document,
    `plumbline: 1
domains:
  - { domain: wiki.home.example, service_type: http, environment: production, backend_host: 10.20.0.99, backend_port: 3999, status: active }
  - { domain: notes.home.example, service_type: http, environment: production, backend_host: 10.20.0.98, backend_port: 3998, status: active }
`,
  )
  expect(await told(['import', document])).toMatchObject({ code: 0 })
  for (const gone of ['chat.home.example', 'next.home.example']) {
    const { id } = (await call('GET', `/api/domains/by-name/${gone}`)) as { id: number }
    await call('DELETE', `/api/domains/${id}`)
  }
  const before = (await told(['export'])).out
  expect(before).toContain('notes.home.example')
  expect(before).not.toContain('chat.home.example')
  const releases = await call('GET', '/api/releases')

  const second = await begun()
  expect(await told(['status'])).toMatchObject({ code: 0 })
  const { code, out } = await second.stop('SIGINT')
  expect(code).toBe(130)
  expect(out).toContain('The sample estate was applied before')
  expect((await told(['export'])).out).toBe(before)
  expect(await call('GET', '/api/releases')).toEqual(releases)
})

itInDepth('one whose every record was deleted stays empty', async () => {
  await (await begun()).stop('SIGINT')
  for (const { id } of (await call('GET', '/api/domains')) as readonly { id: number }[])
    await call('DELETE', `/api/domains/${id}?confirm=${await hashFor(id)}`)
  expect(await call('GET', '/api/domains')).toEqual([])
  await (await begun()).stop('SIGINT')
  expect(await call('GET', '/api/domains')).toEqual([])
})

/** Taking out the last ones is refused without the hash of the plan. */
async function hashFor(id: number): Promise<string> {
  const { plan } = (await call('DELETE', `/api/domains/${id}?dry_run=true`)) as { plan: { hash: string } }
  return plan.hash
}

itInDepth('refuses to start over an installation of somebody else’s', async () => {
  const document = join(directory, '../estate.yaml')
  writeFileSync(
    document,
    'plumbline: 1\ndomains:\n  - { domain: mine.home.example, service_type: http, environment: production, backend_host: 10.20.0.98, backend_port: 3998 }\n',
  )
  expect(await told(['import', document])).toMatchObject({ code: 0 })
  const before = (await told(['export'])).out
  const refused = await runProcess(['quickstart'], env)
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('PLUMBLINE_DATA_DIR')
  expect(refused.out).not.toContain('listening')
  expect((await told(['export'])).out).toBe(before)
})

itInDepth.each([
  ['a routes file', 'traefik/routes.yml', 'http:\n  routers: {}\n', 'routes.yml exists already'],
  [
    'a DNS record',
    'zones/example.com.zone',
    `$TTL 3600
@ IN SOA ns.other.test. admin.other.test. 2026010101 10800 3600 1209600 300
@ IN NS ns.other.test.
mirror 300 IN A 192.0.2.7
`,
    'mirror.example.com (192.0.2.7',
  ],
])('refuses to start where %s was there first, and leaves it as it is', async (_what, path, text, said) => {
  const file = join(directory, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  const before = everythingIn(directory)
  const refused = await runProcess(['quickstart'], env)
  expect(refused.code).toBe(1)
  expect(refused.err).toContain(said)
  expect(refused.out).not.toContain('listening')
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(everythingIn(directory)).toEqual(before)
})

itInDepth('leaves no folder behind that was not there before it refused', async () => {
  const routes = join(directory, '../routes')
  mkdirSync(routes)
  writeFileSync(join(routes, 'routes.yml'), 'http:\n  routers: {}\n')
  const before = everythingIn(join(directory, '..'))
  const elsewhere = {
    ...env,
    PLUMBLINE_DATA_DIR: join(directory, 'one', 'two'),
    PLUMBLINE_ROUTES_FILE: join(routes, 'routes.yml'),
  }
  const refused = await runProcess(['quickstart'], elsewhere)
  expect(refused, refused.err).toMatchObject({ code: 1 })
  expect(refused.err).toContain('routes.yml exists already')
  expect(everythingIn(join(directory, '..'))).toEqual(before)
  // A folder that was there stays.
  mkdirSync(elsewhere.PLUMBLINE_DATA_DIR, { recursive: true })
  expect((await runProcess(['quickstart'], elsewhere)).code).toBe(1)
  expect(existsSync(elsewhere.PLUMBLINE_DATA_DIR)).toBe(true)
})

itOneIn(2).each([
  ['a folder that was there and empty', true],
  ['a folder that was not there', false],
])('leaves nothing behind in %s where the port is taken, or a setting is wrong', async (_, is_there) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const folder = join(directory, 'one')
  mkdirSync(is_there ? folder : directory, { recursive: true })
  const before = everythingIn(directory)
  const { port } = taken.address() as AddressInfo
  for (const [wrong, words] of [
    [{ PLUMBLINE_LISTEN: `127.0.0.1:${port}` }, 'the port is taken'],
    [{ PLUMBLINE_TRAEFIK_STATIC: join(directory, 'none.yml') }, 'PLUMBLINE_TRAEFIK_STATIC'],
  ] as const) {
    const refused = await runProcess(['quickstart'], { ...env, PLUMBLINE_DATA_DIR: folder, ...wrong })
    expect(refused, refused.err).toMatchObject({ code: 78 })
    expect(refused.err).toContain(words)
    expect(everythingIn(directory)).toEqual(before)
  }
  taken.close()
})

itInDepth('leaves nothing behind beside what was there, and takes nothing of that away', async () => {
  mkdirSync(join(directory, 'traefik'), { recursive: true })
  writeFileSync(join(directory, 'traefik/routes.yml'), 'http:\n  routers: {}\n')
  writeFileSync(join(directory, 'notes.txt'), 'mine')
  const before = everythingIn(directory)
  const refused = await runProcess(['quickstart'], env)
  expect(refused).toMatchObject({ code: 1 })
  expect(everythingIn(directory)).toEqual(before)
  expect(readFileSync(join(directory, 'notes.txt'), 'utf8')).toBe('mine')
})

itInDepth('a port that is taken costs an installation that was there nothing', async () => {
  await (await begun()).stop('SIGINT')
  const before = (await told(['export'])).out
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as AddressInfo
  const refused = await runProcess(['quickstart'], { ...env, PLUMBLINE_LISTEN: `127.0.0.1:${port}` })
  taken.close()
  expect(refused).toMatchObject({ code: 78 })
  expect((await told(['export'])).out).toBe(before)
})

const everythingIn = (folder: string): readonly string[] =>
  (readdirSync(folder, { recursive: true }) as string[]).toSorted()

it('says what is wrong where the database does not tell what was deployed first', async () => {
  const config = loadConfig({ ...env })
  const away = async () => {
    throw new Failure('store_unavailable', 'The database does not answer.')
  }
  const house = await buildDaemon(config, {
    log: silentLog,
    wrap: { store: (store) => ({ ...store, release: away }) },
  })
  try {
    await expect(quickstart(config).built(house)).rejects.toThrow(/^The database does not answer\.$/)
  } finally {
    await house.close()
  }
})
